import type { Account } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Grants } from '../accounts/grants.tsx';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { PersonProps } from '../service/people/props.ts';
import { accountsOfQuery, sourcesQuery } from '../service/sources/queries.ts';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './page.module.css';
import { PERSON_TEXTS } from './texts.ts';

/** The accounts of a person in all sources, each with what it grants. */
export function Accounts({ person }: Pick<PersonProps, 'person'>) {
  const pageText = usePageTexts(PERSON_TEXTS);
  const api = useApi();
  const accounts = useQuery(accountsOfQuery(api, person.id));
  const sources = useQuery(sourcesQuery(api)).data;
  const nameOfSource = (id: string) => sources?.find((source) => source.id === id)?.name ?? id;
  return (
    <Card title={pageText('accounts')}>
      <Loaded query={accounts}>
        {(found) =>
          found.length === 0 ? (
            <p className={styles['small']}>{pageText('accounts.none')}</p>
          ) : (
            <ul className={styles['items']}>
              {found.map((account) => (
                <Item key={account.key} account={account} source={nameOfSource(account.source)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Item({ account, source }: { readonly account: Account; readonly source: string }) {
  const pageText = usePageTexts(PERSON_TEXTS);
  const { key, name, disabled, access } = account;
  return (
    <li>
      <span className={styles['line']}>
        <Link to="/sources/$id" params={{ id: account.source }} search={{ account: key }}>
          <bdi>{name}</bdi>
        </Link>
        <bdi className={styles['muted']}>{source}</bdi>
        {disabled && <Mark>{pageText('accounts.disabled')}</Mark>}
      </span>
      <Grants access={access} />
    </li>
  );
}
