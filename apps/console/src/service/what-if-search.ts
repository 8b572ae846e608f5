import type { AccessRef } from '@access-admin/client';
import { textOf } from './search-parts.ts';

const TYPES: readonly AccessRef['type'][] = ['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE'];

/** The question of the page, as its address says it. */
export interface WhatIfSearch {
  /** The id of a person. */
  readonly person?: string;
  /** What the person would get, each as its type, a colon and its id. */
  readonly access?: readonly string[];
  /** The first day on which the person would have it, such as `2027-01-31`; from now on without one. */
  readonly from?: string;
  /** The last such day; without an end if left out. */
  readonly until?: string;
}

/** The question of an address; parts that are not understood are left out. */
export function parseWhatIfSearch({ person, access, from, until }: Readonly<Record<string, unknown>>): WhatIfSearch {
  const refs = Array.isArray(access) ? access.filter((each) => parseRef(each) !== null) : [];
  return {
    ...textOf('person', person),
    ...(refs.length > 0 ? { access: [...new Set(refs)] } : {}),
    ...(isDay(from) && { from }),
    ...(isDay(until) && { until }),
  };
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/** The text of a reference in an address. */
export const writeRef = ({ type, id }: AccessRef): string => `${type}:${id}`;

/** The reference that a text of an address stands for; null for another text. */
export function parseRef(text: unknown): AccessRef | null {
  const [, name, id] = /^([A-Z_]+):(.+)$/s.exec(typeof text === 'string' ? text : '') ?? [];
  const type = TYPES.find((each) => each === name);
  return type === undefined || id === undefined ? null : { type, id };
}

/** The references of a question. */
export const refsOf = ({ access = [] }: WhatIfSearch): readonly AccessRef[] =>
  access.map(parseRef).filter((ref) => ref !== null);

/** When a person would have the access of a question. */
export interface Period {
  readonly start?: string;
  /** Not included. */
  readonly end?: string;
}

/** The period of a question: from the beginning of its first day to the end of its last one, in the time zone of the browser. */
export function periodOf({ from, until }: WhatIfSearch): Period {
  const end = until === undefined ? null : new Date(`${until}T00:00`);
  end?.setDate(end.getDate() + 1);
  return {
    ...(from !== undefined && { start: new Date(`${from}T00:00`).toISOString() }),
    ...(end !== null && { end: end.toISOString() }),
  };
}

/** What the service is asked. */
export const requestOf = (search: WhatIfSearch) => ({
  identityId: search.person ?? '',
  accessRefs: refsOf(search).map((ref) => ({ ...ref, ...periodOf(search) })),
});
