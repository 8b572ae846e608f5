import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { type AssignedAccess, sizeOf } from '../service/people/access-tree.ts';
import type { PersonProps } from '../service/people/props.ts';
import { accessTreeQuery, conflictsOfQuery } from '../service/people/queries.ts';
import { missingFor } from '../service/people/rights.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
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
  const api = useApi();
  const tree = useQuery(accessTreeQuery(api, person));
  const isReadable = missingFor('register', me, person.id) === null;
  const conflicts = useQuery({ ...conflictsOfQuery(api, person.id), enabled: isReadable });
  return (
    <>
      {conflicts.isError && <Failure error={conflicts.error} onRetry={conflicts.refetch} />}
      <Loaded query={tree}>
        {(nodes) =>
          !conflicts.isLoading && <Branches nodes={nodes} conflicts={conflicts.data ?? NONE} personId={person.id} />
        }
      </Loaded>
    </>
  );
}

const NONE: Conflicts = new Map();

interface BranchesProps {
  readonly nodes: readonly AssignedAccess[];
  readonly conflicts: Conflicts;
  readonly personId: string;
}

function Branches({ nodes, conflicts, personId }: BranchesProps) {
  const pageText = usePageTexts(PERSON_TEXTS);
  // Null until all branches are opened or closed by the button.
  const [isAllOpen, openAll] = useState<boolean | null>(null);
  const isSmall = nodes.reduce((size, node) => size + sizeOf(node), 0) <= OPEN_MAX;
  const isOpen = isAllOpen ?? isSmall;
  return (
    <>
      <p>
        <button type="button" className="button" onClick={() => openAll(!isOpen)}>
          {pageText(isOpen ? 'access.close' : 'access.open')}
        </button>
      </p>
      <ul key={String(isOpen)} className={`${styles['tree']} ${styles['top']}`}>
        {nodes.map((node) => (
          <Branch
            key={`${node.type} ${node.id} ${node.start} ${node.end}`}
            {...{ node, conflicts, isOpen, personId }}
            window={node}
          />
        ))}
      </ul>
    </>
  );
}
