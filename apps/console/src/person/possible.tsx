import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { possibleAccessQuery } from '../service/people/possible.ts';
import type { PersonProps } from '../service/people/props.ts';

import { missingFor } from '../service/people/rights.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './page.module.css';
import { PERSON_TEXTS } from './texts.ts';

/** The roles and access profiles that a person could be given without a violation. They are searched when they are asked for. */
export function Possible({ person, me }: PersonProps) {
  const pageText = usePageTexts(PERSON_TEXTS);
  const [isAsked, ask] = useState(false);
  return (
    <Card title={pageText('possible')} missing={missingFor('exceptions', me, person.id)}>
      {isAsked ? (
        <List id={person.id} />
      ) : (
        <button type="button" className="button" onClick={() => ask(true)}>
          {pageText('possible.show')}
        </button>
      )}
    </Card>
  );
}

function List({ id }: { readonly id: string }) {
  const pageText = usePageTexts(PERSON_TEXTS);
  return (
    <Loaded query={useQuery(possibleAccessQuery(useApi(), id))}>
      {({ items, isAll }) => (
        <>
          {items.length === 0 && <p className={styles['small']}>{pageText('possible.none')}</p>}
          <ul className={styles['items']}>
            {items.map((item) => (
              <li key={`${item.type} ${item.id}`}>
                <span>
                  <AccessLink of={item}>
                    <bdi>{item.name}</bdi>
                  </AccessLink>
                </span>
                <span className={styles['muted']}>{pageText(`possible.${item.type}`)}</span>
              </li>
            ))}
          </ul>
          {!isAll && <p className={styles['small']}>{pageText('possible.more')}</p>}
        </>
      )}
    </Loaded>
  );
}
