import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { policyQuery } from '../service/policy/queries.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { Editor } from './editor.tsx';
import { POLICY_TEXTS } from './texts.ts';

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
export function NewPolicyPage() {
  const pageText = usePageTexts(POLICY_TEXTS);
  const session = useQuery(sessionQuery(useApi()));
  const missing = session.data === undefined ? null : missingRight('change', session.data);
  if (missing === null) return <Editor latest={null} />;
  return (
    <>
      <Heading title={pageText('new')} />
      <MissingRight needed={missing} />
    </>
  );
}
