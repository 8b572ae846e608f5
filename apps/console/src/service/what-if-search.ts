import type { AccessRef } from '@access-admin/client';
import { textOf } from './search-parts.ts';

const TYPES: readonly AccessRef['type'][] = ['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE'];

/** The question of the page, as its address says it. */
export interface WhatIfSearch {
  /** The id of a person. */
  readonly person?: string;
  /** What the person would get, each as its type, a colon and its id. */
  readonly access?: readonly string[];
  /** The day that the question is about, such as `2027-01-31`; every instant from now on without one. */
  readonly on?: string;
}

/** The question of an address; parts that are not understood are left out. */
export function parseWhatIfSearch({ person, access, on }: Readonly<Record<string, unknown>>): WhatIfSearch {
  const refs = Array.isArray(access) ? access.filter((each) => parseRef(each) !== null) : [];
  return {
    ...textOf('person', person),
    ...(refs.length > 0 ? { access: [...new Set(refs)] } : {}),
    ...(typeof on === 'string' && /^\d{4}-\d\d-\d\d$/.test(on) && !Number.isNaN(Date.parse(on)) ? { on } : {}),
  };
}

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

/** The instant that a question is about: the beginning of its day in the time zone of the browser; none without a day. */
export const instantOf = ({ on }: WhatIfSearch): { readonly at?: string } =>
  on === undefined ? {} : { at: new Date(`${on}T00:00`).toISOString() };
