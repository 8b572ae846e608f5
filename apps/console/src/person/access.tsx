import { type UseQueryResult, useQuery } from '@tanstack/react-query';
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
import link from '../ui/link.module.css';
import { Loaded } from '../ui/loaded.tsx';
import styles from './access.module.css';
import { Branch, type Conflicts } from './branch.tsx';
import { PERSON_TEXTS } from './texts.ts';

/** Trees of at most so many records are shown open. */
const OPEN_MAX = 60;

/** What a person holds: roles, what they contain, and so on down to entitlements. */
export function Access({ person, me }: PersonProps) {
  const pageText = usePageTexts(PERSON_TEXTS);
  const hasAccess = person.assignments.length > 0;
  const tree = useQuery({ ...accessTreeQuery(useApi(), person), enabled: hasAccess });
  // Null until all branches are opened or closed by the button.
  const [isAllOpen, openAll] = useState<boolean | null>(null);
  const isOpen = isAllOpen ?? isSmall(tree.data ?? []);
  if (!hasAccess)
    return (
      <Card title={pageText('access')}>
        <Empty title={pageText('access.none')}>
          <p>{pageText('access.none.text')}</p>
        </Empty>
      </Card>
    );
  return (
    <Card
      title={pageText('access')}
      ways={
        tree.data !== undefined && (
          <button type="button" className={link['inline']} onClick={() => openAll(!isOpen)}>
            {pageText(isOpen ? 'access.close' : 'access.open')}
          </button>
        )
      }
    >
      <Tree person={person} me={me} tree={tree} isOpen={isOpen} />
    </Card>
  );
}

const isSmall = (nodes: readonly AssignedAccess[]): boolean =>
  nodes.reduce((size, node) => size + sizeOf(node), 0) <= OPEN_MAX;

interface TreeProps extends PersonProps {
  readonly tree: UseQueryResult<readonly AssignedAccess[]>;
  /** Whether all branches are open, until somebody opens or closes one. */
  readonly isOpen: boolean;
}

function Tree({ person, me, tree, isOpen }: TreeProps) {
  const api = useApi();
  const isReadable = missingFor('register', me, person.id) === null;
  const conflicts = useQuery({ ...conflictsOfQuery(api, person.id), enabled: isReadable });
  return (
    <>
      {conflicts.isError && <Failure error={conflicts.error} onRetry={conflicts.refetch} />}
      <Loaded query={tree}>
        {(nodes) =>
          !conflicts.isLoading && (
            <ul key={String(isOpen)} className={`${styles['tree']} ${styles['top']}`}>
              {nodes.map((node) => (
                <Branch
                  key={`${node.type} ${node.id} ${node.start} ${node.end} ${node.accountKey}`}
                  node={node}
                  assigned={node}
                  conflicts={conflicts.data ?? NONE}
                  isOpen={isOpen}
                  personId={person.id}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

const NONE: Conflicts = new Map();
