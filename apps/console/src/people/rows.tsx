import type { ListedIdentity } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { LongTable, type LongTableProps } from '../ui/tables/long-table.tsx';
import styles from './rows.module.css';
import { PEOPLE_TEXTS } from './texts.ts';

type RowsProps = Pick<LongTableProps<ListedIdentity>, 'items' | 'total' | 'hasMore' | 'onEnd'>;

const HEADS = ['name', 'username', 'email', 'profile', 'capabilities', 'open'] as const;

/** The people of a search as a table. */
export function Rows(props: RowsProps) {
  const pageText = usePageTexts(PEOPLE_TEXTS);
  return (
    <LongTable
      {...props}
      label={pageText('title')}
      heads={HEADS.map((head) => ({ label: pageText(head), isNumber: head === 'open' }))}
      columns={styles['columns']}
    >
      {(person) => <Cells person={person} />}
    </LongTable>
  );
}

function Cells({ person }: { readonly person: ListedIdentity }) {
  const { list, number } = useSpeech();
  const { id, displayName, uid, email, identityProfile, capabilities, violations } = person;
  const named = list(capabilities);
  return (
    <>
      <div role="cell" title={displayName ?? id}>
        <Link to="/people/$id" params={{ id }}>
          <bdi>{displayName ?? id}</bdi>
        </Link>
      </div>
      <div role="cell" title={uid}>
        <bdi>{uid}</bdi>
      </div>
      <div role="cell" title={email ?? undefined}>
        <bdi>{email ?? '–'}</bdi>
      </div>
      <div role="cell" title={identityProfile.name}>
        <bdi>{identityProfile.name}</bdi>
      </div>
      <div role="cell" title={named}>
        {named === '' ? '–' : named}
      </div>
      <div role="cell" className={styles['number']}>
        {violations.open === 0 ? (
          number(0)
        ) : (
          <Link to="/violations" search={{ status: 'Open', target: id }}>
            {number(violations.open)}
          </Link>
        )}
      </div>
    </>
  );
}
