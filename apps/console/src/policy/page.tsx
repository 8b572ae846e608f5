import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import { Failure } from '../parts/failure.tsx';
import { Heading } from '../parts/heading.tsx';
import { useApi } from '../service/api.tsx';
import { policyQuery } from '../service/policy/queries.ts';
import { Editor } from './editor.tsx';

/** One policy, to be read, tried and changed. */
export function PolicyPage() {
  const { text } = useSpeech();
  const { id } = useParams({ from: '/policies/$id' });
  const policy = useQuery(policyQuery(useApi(), id));
  return (
    <>
      {policy.isError && <Failure error={policy.error} onRetry={policy.refetch} />}
      {policy.data === undefined && !policy.isError && <Heading title={text('state.loading')} />}
      {policy.data !== undefined && <Editor key={id} latest={policy.data} />}
    </>
  );
}

/** A policy that does not exist yet. */
export const NewPolicyPage = () => <Editor latest={null} />;
