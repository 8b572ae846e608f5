import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { Failure } from '../parts/failure.tsx';
import { useApi } from '../service/api.tsx';
import { sizeOf } from '../service/people/access-tree.ts';
import type { PersonProps } from '../service/people/props.ts';
import { accessTreeQuery, violationsOfQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import styles from './access.module.css';
import { Branch, type Conflicts } from './branch.tsx';
import { PERSON_TEXTS } from './texts.ts';

/** Trees of at most so many records are shown open. */
const OPEN_MAX = 60;

/** What a person holds: roles, what they contain, and so on down to entitlements. */
export function Access({ person, me }: PersonProps) {
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <Card title={pageText('access')}>
      {person.assignments.length === 0 ? (
        <Empty title={pageText('access.none')}>
          <p>{pageText('access.none.text')}</p>
        </Empty>
      ) : (
        <Tree person={person} me={me} />
      )}
    </Card>
  );
}

function Tree({ person, me }: PersonProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const tree = useQuery(accessTreeQuery(useApi(), person));
  const conflicts = useConflicts({ person, me });
  // Null until somebody opens or closes all.
  const [isAllOpen, openAll] = useState<boolean | null>(null);
  if (tree.isError) return <Failure error={tree.error} onRetry={tree.refetch} />;
  if (tree.data === undefined || conflicts === null) return <p>{text('state.loading')}</p>;
  const isSmall = tree.data.reduce((size, node) => size + sizeOf(node), 0) <= OPEN_MAX;
  const isOpen = isAllOpen ?? isSmall;
  return (
    <>
      <p>
        <button type="button" className={button['button']} onClick={() => openAll(!isOpen)}>
          {pageText(isOpen ? 'access.close' : 'access.open')}
        </button>
      </p>
      <ul key={String(isOpen)} className={`${styles['tree']} ${styles['top']}`}>
        {tree.data.map((node) => (
          <Branch
            key={`${node.type} ${node.id} ${node.start} ${node.end}`}
            {...{ node, conflicts, isOpen, personId: person.id }}
            window={node}
          />
        ))}
      </ul>
    </>
  );
}

/** The present violations by the entitlements that are a part of them; null while they are read. */
function useConflicts({ person, me }: PersonProps): Conflicts | null {
  const isReadable = missingFor('violations', me, person.id) === null;
  const present = useQuery({ ...violationsOfQuery(useApi(), person.id, true), enabled: isReadable });
  if (!isReadable || present.isError) return new Map();
  if (present.data === undefined) return null;
  return new Map(
    present.data.items
      .toReversed()
      .flatMap(({ id, conflictingCriteria }) =>
        conflictingCriteria.flatMap(({ conflictingItems }) => conflictingItems.map((item) => [item.id, id] as const)),
      ),
  );
}
