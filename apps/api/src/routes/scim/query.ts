import { SCIM_COUNT_MAX } from '@access-admin/contract';
import { fail, ok, parseScimFilter, type Result } from '@access-admin/domain';
import type { ScimQuery } from '@access-admin/store';
import { type BrokenRule, brokenRule } from './errors.ts';
import { asObject, type JsonObject, propertyOf } from './json.ts';
import { COUNT_DEFAULT, ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './schemas.ts';

/** The attributes that an answer has; all where nothing is asked for. */
export interface Projection {
  /** In small letters; null for all. */
  readonly only: readonly string[] | null;
  readonly without: readonly string[];
}

/** A list that is asked for. */
export interface ListRequest extends Projection {
  readonly query: ScimQuery;
  readonly startIndex: number;
}

const SORT_BY = { id: 'id', username: 'userName', displayname: 'displayName' } as const;

/** Reads the parameters of a list, of a query or of the body of a search. */
export function parseListRequest(given: (name: string) => unknown): Result<ListRequest, BrokenRule> {
  const startIndex = Math.max(1, integerOf(given('startIndex')) ?? 1);
  const count = integerOf(given('count')) ?? COUNT_DEFAULT;
  const filterText = given('filter');
  const filter = typeof filterText === 'string' && filterText !== '' ? parseScimFilter(filterText) : null;
  if (filter === null && filterText !== undefined && filterText !== '')
    return fail(brokenRule('invalidFilter', 'The filter cannot be read.'));
  const sortText = given('sortBy');
  const sortName = withoutSchema(String(sortText ?? 'id')).toLowerCase();
  if (!isSortName(sortName)) return fail(brokenRule('invalidValue', 'sortBy must be id, userName or displayName.'));
  const query = {
    filter,
    sortBy: SORT_BY[sortName],
    descends: String(given('sortOrder') ?? '').toLowerCase() === 'descending',
    offset: Math.min(startIndex - 1, OFFSET_MAX),
    limit: Math.min(Math.max(0, count), SCIM_COUNT_MAX),
  };
  return ok({ query, startIndex, ...parseProjection(given) });
}

const OFFSET_MAX = 2 ** 31 - 1;

const isSortName = (name: string): name is keyof typeof SORT_BY => Object.hasOwn(SORT_BY, name);

/** Null for what is no whole number. */
function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

export function parseProjection(given: (name: string) => unknown): Projection {
  const only = namesOf(given('attributes'));
  return { only: only.length === 0 ? null : only, without: namesOf(given('excludedAttributes')) };
}

function namesOf(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
  return names.map((name) => withoutSchema(name.trim()).toLowerCase()).filter((name) => name !== '');
}

/** The name of an attribute without the URN of a core schema; that of the extension is one name, with its attribute after a point. */
function withoutSchema(name: string): string {
  for (const schema of [USER_SCHEMA, GROUP_SCHEMA])
    if (name.toLowerCase().startsWith(`${schema.toLowerCase()}:`)) return name.slice(schema.length + 1);
  return name;
}

/** Whether an attribute of the first level, or one below it, is part of an answer. */
export const isAsked = ({ only, without }: Projection, name: string): boolean => {
  const small = name.toLowerCase();
  if (only !== null) return only.some((each) => each === small || each.startsWith(`${small}.`));
  return !without.includes(small);
};

const ALWAYS: readonly string[] = ['schemas', 'id'];

/** A resource with the attributes that are asked for. Its id is always there. */
export function project(resource: JsonObject, projection: Projection): JsonObject {
  if (projection.only === null && projection.without.length === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]): (readonly [string, unknown])[] => {
      if (ALWAYS.includes(name)) return [[name, value]];
      const left = projectValue(name, value, projection);
      return left === undefined ? [] : [[name, left]];
    }),
  );
}

function projectValue(name: string, value: unknown, { only, without }: Projection): unknown {
  // Attributes of the extension follow its URN after a colon.
  const mark = name === ENTERPRISE_SCHEMA ? ':' : '.';
  const small = name.toLowerCase();
  const subsOf = (names: readonly string[]) =>
    names.filter((each) => each.startsWith(`${small}${mark}`)).map((each) => each.slice(small.length + 1));
  if (only !== null) {
    if (only.includes(small)) return value;
    const subs = subsOf(only);
    return subs.length === 0 ? undefined : keepSubs(value, (sub) => subs.some((each) => isAtOrBelow(each, sub)));
  }
  if (without.includes(small)) return undefined;
  const subs = subsOf(without);
  return subs.length === 0 ? value : keepSubs(value, (sub) => !subs.includes(sub));
}

const isAtOrBelow = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`);

function keepSubs(value: unknown, keeps: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => keepSubs(each, keeps));
  const object = asObject(value);
  if (object === null) return value;
  return Object.fromEntries(Object.entries(object).filter(([sub]) => keeps(sub.toLowerCase())));
}

/** The properties of the body of a search. */
export function givenIn(body: unknown): (name: string) => unknown {
  const object = asObject(body) ?? {};
  return (name) => propertyOf(object, name);
}
