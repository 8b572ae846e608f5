import { AccessAdminError } from '../errors.ts';

/** The parameters of a query. Undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Appends an id to the path of its group. Throws for an empty id, `.` and `..`, which URL normalization would remove. */
export function resourcePath(group: string, id: string): string {
  if (id === '' || id === '.' || id === '..') throw new AccessAdminError(`${group}: not an id: '${id}'`);
  return `${group}/${encode(id, `${group}: the id`)}`;
}

/** The query with its question mark; empty without parameters. */
export function formatQuery(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name, 'a parameter')}=${encode(String(value), name)}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

function encode(text: string, what: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new AccessAdminError(`${what} has half of a surrogate pair, which no URL can contain`);
  }
}
