import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { Place, PlaceKey } from '@access-admin/store';

/** An order of rows, and what its places look like. */
export interface ListOrder {
  readonly keys: readonly PlaceKey[];
  /** Whether a value can be that of a key. */
  readonly isValue: (column: string, value: unknown) => boolean;
}

/** A place in an order as the `cursor` of a query. It is opaque to callers. */
export const writeCursor = ({ keys }: ListOrder, place: Place): string =>
  Buffer.from(JSON.stringify([nameOf(keys), ...place])).toString('base64url');

/** Parses a cursor: the place after which a page begins, null without one; `IllegalValue` for one of another order. */
export function parseCursor(text: string | null, { keys, isValue }: ListOrder): Result<Place | null, Failure> {
  if (text === null) return ok(null);
  const [name, ...place] = valuesOf(text);
  const isPlace = place.length === keys.length && keys.every(({ column }, at) => isValue(column, place[at]));
  return name === nameOf(keys) && isPlace ? ok(place as Place) : ILLEGAL;
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

const nameOf = (keys: readonly PlaceKey[]) =>
  keys.map(({ column, descends }) => `${descends ? '-' : ''}${column}`).join();
