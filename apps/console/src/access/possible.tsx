import type { AccessRef, Capability } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { possibleHoldersQuery } from '../service/access/queries.ts';
import { useApi } from '../service/api.tsx';
import { writeRef } from '../service/what-if-search.ts';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './page.module.css';
import { ACCESS_TEXTS } from './texts.ts';

export interface PossibleProps {
  readonly of: AccessRef;
  /** The capabilities one of which is missing to ask; null where one is there. */
  readonly missing: readonly Capability[] | null;
}

/** People to whom something could be given without a violation. A button starts the search. */
export function Possible({ of, missing }: PossibleProps) {
  const pageText = usePageTexts(ACCESS_TEXTS);
  const [isAsked, ask] = useState(false);
  return (
    <Card title={pageText('possible')} missing={missing}>
      {isAsked ? (
        <List of={of} />
      ) : (
        <p>
          <button type="button" className="button" onClick={() => ask(true)}>
            {pageText('possible.show')}
          </button>
        </p>
      )}
    </Card>
  );
}

function List({ of }: Pick<PossibleProps, 'of'>) {
  const pageText = usePageTexts(ACCESS_TEXTS);
  return (
    <Loaded query={useQuery(possibleHoldersQuery(useApi(), of))}>
      {({ people, isAll }) => (
        <>
          {people.length === 0 && <p className={styles['muted']}>{pageText('possible.none')}</p>}
          <ul className={styles['people']}>
            {people.map(({ id, name }) => (
              <li key={id}>
                <Link to="/people/$id" params={{ id }}>
                  <bdi>{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
          {!isAll && <p className={styles['muted']}>{pageText('possible.more', { ref: writeRef(of) })}</p>}
        </>
      )}
    </Loaded>
  );
}
