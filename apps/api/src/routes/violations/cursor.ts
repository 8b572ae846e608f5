import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { RegisterPlace, SortKey } from '@access-admin/store';

/** A place in an order as the `cursor` of a query. It is opaque to callers. */
export const writeCursor = (keys: readonly SortKey[], place: RegisterPlace): string =>
  Buffer.from(JSON.stringify([nameOf(keys), ...place])).toString('base64url');

/** Parses a cursor of the same order; `IllegalValue` for any other text. */
export function parseCursor(text: string, keys: readonly SortKey[]): Result<RegisterPlace, Failure> {
  const [name, ...place] = valuesOf(text);
  const isPlace = place.length === keys.length && keys.every(({ column }, at) => IS_VALUE[column](place[at]));
  return name === nameOf(keys) && isPlace ? ok(place as RegisterPlace) : ILLEGAL;
}

const ILLEGAL = fail(failure('IllegalValue', 'cursor', 'must be that of a Link with the same sorters, and given once'));

function valuesOf(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    // Only what is written like this was written by the service.
    return Array.isArray(values) && Buffer.from(text, 'base64url').toString('base64url') === text ? values : [];
  } catch {
    return [];
  }
}

const nameOf = (keys: readonly SortKey[]) =>
  keys.map(({ column, descends }) => `${descends ? '-' : ''}${column}`).join();

const isInstant = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

const IS_VALUE: Readonly<Record<SortKey['column'], (value: unknown) => boolean>> = {
  level_rank: (value) => value === 1 || value === 2 || value === 3 || value === 4,
  created: isInstant,
  modified: isInstant,
  id: (value) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
};
