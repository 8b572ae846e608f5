import type { ListedIdentity } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { nameOf } from '../service/name-of.ts';
import { isEffective } from '../service/people/effective-capabilities.ts';
import { Mark } from '../ui/mark.tsx';
import { Cell, type NarrowPlace } from '../ui/tables/cell.tsx';
import { LongTable, type LongTableProps } from '../ui/tables/long-table.tsx';
import { PEOPLE_TEXTS } from './texts.ts';

type RowsProps = Pick<LongTableProps<ListedIdentity>, 'items' | 'total' | 'hasMore' | 'onEnd'>;

const HEADS = ['name', 'username', 'email', 'profile', 'capabilities', 'open'] as const;

/** On a narrow screen. */
const NARROW: Partial<Record<(typeof HEADS)[number], NarrowPlace>> = { name: 'title', username: 'line', open: 'end' };

/** The people of a search as a table. */
export function Rows(props: RowsProps) {
  const pageText = usePageTexts(PEOPLE_TEXTS);
  return (
    <LongTable
      {...props}
      label={pageText('title')}
      heads={HEADS.map((head) => ({
        label: pageText(head === 'open' ? 'open.short' : head),
        isNumber: head === 'open',
        narrow: NARROW[head],
      }))}
    >
      {(person) => <Cells person={person} />}
    </LongTable>
  );
}

function Cells({ person }: { readonly person: ListedIdentity }) {
  const pageText = usePageTexts(PEOPLE_TEXTS);
  const { text, list, number } = useSpeech();
  const { id, displayName, uid, email, identityProfile, capabilities, active, violations } = person;
  const effective = capabilities.filter(isEffective);
  const others = capabilities.length - effective.length;
  // Those of other services are counted alone: their names would take the room of what counts here.
  const named = list([
    ...effective.map((each) => text(`capability.${each}`)),
    ...(others > 0 ? [`+${number(others)}`] : []),
  ]);
  return (
    <>
      <Cell narrow={NARROW.name} title={nameOf(id, displayName)}>
        <Link to="/people/$id" params={{ id }}>
          <bdi>{nameOf(id, displayName)}</bdi>
        </Link>
        {!active && (
          <>
            {' '}
            <Mark>{pageText('inactive')}</Mark>
          </>
        )}
      </Cell>
      <Cell narrow={NARROW.username} title={uid}>
        <bdi>{uid}</bdi>
      </Cell>
      <Cell title={email ?? undefined}>
        <bdi>{email ?? '–'}</bdi>
      </Cell>
      <Cell title={identityProfile.name}>
        <bdi>{identityProfile.name}</bdi>
      </Cell>
      <Cell title={list(capabilities)}>{named === '' ? '–' : named}</Cell>
      <Cell narrow={NARROW.open} label={pageText('open')} isNumber>
        {violations.open === 0 ? (
          number(0)
        ) : (
          <Link to="/violations" search={{ status: 'Open', target: id }}>
            {number(violations.open)}
          </Link>
        )}
      </Cell>
    </>
  );
}
