import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { Position, SortKey } from '@access-admin/store';

/** An order of rows, and what its positions look like. */
export interface ListOrder {
  readonly keys: readonly SortKey[];
  /** Whether a value can be that of a key. */
  readonly isValue: (column: string, value: unknown) => boolean;
}

/** A position in an order as the `cursor` of a query. It is opaque to callers. */
export const writeCursor = ({ keys }: ListOrder, position: Position): string =>
  Buffer.from(JSON.stringify([nameOf(keys), ...position])).toString('base64url');

/** Parses a cursor: the position after which a page begins, null without one; `IllegalValue` for one of another order. */
export function parseCursor(text: string | null, { keys, isValue }: ListOrder): Result<Position | null, Failure> {
  if (text === null) return ok(null);
  const [name, ...position] = valuesOf(text);
  const isPosition = position.length === keys.length && keys.every(({ column }, at) => isValue(column, position[at]));
  return name === nameOf(keys) && isPosition ? ok(position as Position) : ILLEGAL;
}

const ILLEGAL = fail(failure('IllegalValue', 'cursor', 'must be that of a Link with the same sorters, and given once'));

function valuesOf(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    // A text that does not encode back to itself was not written by this service.
    return Array.isArray(values) && Buffer.from(text, 'base64url').toString('base64url') === text ? values : [];
  } catch {
    return [];
  }
}

const nameOf = (keys: readonly SortKey[]) =>
  keys.map(({ column, descends }) => `${descends ? '-' : ''}${column}`).join();
