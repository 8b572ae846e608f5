import { filter } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';
import { hasSearchLength } from '../violation-search.ts';

/** Which people the list shows, as its address says it: all without a text. */
export interface PeopleSearch {
  /** A part of a name, a username or an email address. */
  readonly text?: string;
  /** The creation that is open. */
  readonly create?: NewPersonKind;
}

const NEW_PERSON_KINDS = ['invite', 'new'] as const;

/** How a person is created: with a link to sign in, or without one. */
export type NewPersonKind = (typeof NEW_PERSON_KINDS)[number];

/** The search of an address; parts that are not understood are left out. */
export const parsePeopleSearch = ({ text, create }: Readonly<Record<string, unknown>>): PeopleSearch => ({
  ...textOf('text', text),
  ...pick('create', NEW_PERSON_KINDS, create),
});

/** The filters of a search, in the order in which their matches are shown. A short text is sought at the beginning only. */
export function filtersOfPeople({ text = '' }: PeopleSearch): readonly (string | undefined)[] {
  const sought = text.trim();
  if (sought === '') return [undefined];
  return hasSearchLength(sought)
    ? [filter`displayName co ${sought}`, filter`uid co ${sought}`, filter`email co ${sought}`]
    : [filter`displayName sw ${sought}`, filter`uid sw ${sought}`, filter`email sw ${sought}`];
}
