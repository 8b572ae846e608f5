import { type AccessRef, foldText } from '@access-admin/domain';
import type { Tables } from '../../schema/tables.ts';

/** The kinds of record that can be looked up, as they are stored. */
export const SEARCH_KINDS = { entitlement: 1, access_profile: 2, role: 3, identity_profile: 4, identity: 5 } as const;

/** A table whose rows can be looked up. */
export type SearchTable = keyof typeof SEARCH_KINDS;

/** A value that is found as a whole. */
export type SearchedValue =
  | AccessRef
  | { readonly type: 'PARENT' | 'EXTERNAL_ID'; readonly id: string }
  | { readonly type: 'ATTRIBUTE'; readonly name: string; readonly id: string };

const INITIALS = {
  ENTITLEMENT: 'e',
  ACCESS_PROFILE: 'a',
  ROLE: 'r',
  PARENT: 'p',
  EXTERNAL_ID: 'x',
  ATTRIBUTE: 't',
} as const;
const WORD_LENGTH_MAX = 100;

/** A value as one word that each engine's index takes as it is. Long values that begin alike are the same word. */
export const wordOf = (value: SearchedValue): string => {
  const name = 'name' in value ? `${value.name} ` : '';
  return (
    INITIALS[value.type] +
    Buffer.from(name + value.id)
      .toString('base64url')
      .slice(0, WORD_LENGTH_MAX)
  );
};

type Entry = Tables['search_entry'];
type Encode<T extends SearchTable> = (row: Tables[T]) => Omit<Entry, 'tenant' | 'kind' | 'id'>;

const NOTHING_ELSE = { uid: null, email: null, parent: null } as const;

const ENCODE: { readonly [T in SearchTable]: Encode<T> } = {
  entitlement: (row) => ({
    ...NOTHING_ELSE,
    name: foldText(row.name),
    parent: row.source,
    words: wordsOf([...parentOf(row.source), ...externalOf(row)]),
  }),
  access_profile: (row) => ({
    ...NOTHING_ELSE,
    name: foldText(row.name),
    words: wordsOf([...refsTo('ENTITLEMENT', row.entitlements), ...externalOf(row)]),
  }),
  role: (row) => ({
    ...NOTHING_ELSE,
    name: foldText(row.name),
    words: wordsOf([
      ...refsTo('ENTITLEMENT', row.entitlements),
      ...refsTo('ACCESS_PROFILE', row.access_profiles),
      ...externalOf(row),
    ]),
  }),
  identity_profile: (row) => ({ ...NOTHING_ELSE, name: foldText(row.name), words: '' }),
  identity: (row) => ({
    name: foldText(row.display_name ?? ''),
    uid: foldText(row.uid_folded),
    email: row.email === null ? null : foldText(row.email),
    parent: row.identity_profile,
    words: wordsOf([...parentOf(row.identity_profile), ...accessOf(row.access), ...externalOf(row)]),
  }),
};

/** What look-ups search of a row. */
export const rowToEntry = <T extends SearchTable>(table: T, row: Tables[T]): Entry => ({
  tenant: row.tenant,
  kind: SEARCH_KINDS[table],
  id: row.id,
  ...ENCODE[table](row),
});

const wordsOf = (values: readonly SearchedValue[]): string => [...new Set(values.map(wordOf))].join(' ');

const parentOf = (id: string | null): readonly SearchedValue[] => (id === null ? [] : [{ type: 'PARENT', id }]);

const refsTo = (type: AccessRef['type'], ids: string): readonly SearchedValue[] =>
  JSON.parse(ids).map((id: string) => ({ type, id }));

const accessOf = (access: string): readonly SearchedValue[] =>
  JSON.parse(access).map(([type, id]: [AccessRef['type'], string]) => ({ type, id }));

function externalOf(row: { readonly attributes: string | null; readonly external_id: string | null }) {
  const attributes: Readonly<Record<string, string>> = JSON.parse(row.attributes ?? '{}');
  const values: SearchedValue[] = Object.entries(attributes).map(([name, id]) => ({ type: 'ATTRIBUTE', name, id }));
  if (row.external_id !== null) values.push({ type: 'EXTERNAL_ID', id: row.external_id });
  return values;
}
