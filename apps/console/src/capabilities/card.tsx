import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { authUserQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { Editor } from './editor.tsx';
import { Held } from './held.tsx';
import { CAPABILITY_TEXTS } from './texts.ts';

/** What a person may administer. */
export function Capabilities({ person, me }: PersonProps) {
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  return (
    <Card title={pageText('title')} missing={missingFor('authUser', me, person.id)}>
      <Content person={person} me={me} />
    </Card>
  );
}

function Content({ person, me }: PersonProps) {
  const missing = missingFor('capabilities', me, person.id);
  return (
    <Loaded query={useQuery(authUserQuery(useApi(), person.id))}>
      {(user) =>
        missing === null ? (
          <Editor user={user} me={me} />
        ) : (
          <>
            <Held capabilities={user.value.capabilities} />
            <MissingRight isReadable needed={missing} />
          </>
        )
      }
    </Loaded>
  );
}
