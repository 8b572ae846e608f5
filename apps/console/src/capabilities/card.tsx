import { useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { Card } from '../parts/card.tsx';
import { Failure } from '../parts/failure.tsx';
import { MissingRight } from '../parts/missing-right.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { authUserQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import { Editor } from './editor.tsx';
import { Held } from './held.tsx';
import { CAPABILITY_TEXTS } from './texts.ts';

/** What a person may administer. */
export function Capabilities({ person, me }: PersonProps) {
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  const missing = missingFor('authUser', me, person.id);
  return (
    <Card title={pageText('title')}>
      {missing === null ? <Content person={person} me={me} /> : <MissingRight needed={missing} />}
    </Card>
  );
}

function Content({ person, me }: PersonProps) {
  const { text } = useSpeech();
  const user = useQuery(authUserQuery(useApi(), person.id));
  const failure = user.isError && <Failure error={user.error} onRetry={user.refetch} />;
  if (user.data === undefined) return failure || <p>{text('state.loading')}</p>;
  const missing = missingFor('capabilities', me, person.id);
  // What was typed stays where the latest version cannot be read.
  if (missing === null)
    return (
      <>
        {failure}
        <Editor user={user.data} me={me} />
      </>
    );
  return (
    <>
      {failure}
      <Held capabilities={user.data.value.capabilities} />
      <MissingRight needed={missing} />
    </>
  );
}
