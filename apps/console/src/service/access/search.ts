import { type AccessRef, filter } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';
import { hasSearchLength } from '../violation-search.ts';

/** The kinds of access, in the order in which they are offered. */
export const ACCESS_TYPES = ['ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'] as const satisfies readonly AccessRef['type'][];

/** What the list of access shows, as its address says it: roles without a type. */
export interface AccessSearch {
  readonly type?: AccessRef['type'];
  /** A part of a name. */
  readonly text?: string;
}

/** The search of an address; parts that are not understood are left out. */
export const parseAccessSearch = ({ type, text }: Readonly<Record<string, unknown>>): AccessSearch => ({
  ...pick('type', ACCESS_TYPES, type),
  ...textOf('text', text),
});

/** The filter of a search; undefined without a text. A short text is sought at the beginning only. */
export function filtersOfAccess({ text = '' }: AccessSearch): string | undefined {
  const sought = text.trim();
  if (sought === '') return undefined;
  return hasSearchLength(sought) ? filter`name co ${sought}` : filter`name sw ${sought}`;
}
