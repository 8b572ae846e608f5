import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Placeholders of `count` rows with a parameter for each column. Those of shared columns, which only PostgreSQL has, come first,
 * and are those of all rows. Kysely would compile each of them on its own, which takes as long as the statement. The values are
 * bound by the caller.
 */
export function rowPlaceholders(
  db: Kysely<Tables>,
  { count, isShared }: { readonly count: number; readonly isShared: readonly boolean[] },
): RawBuilder<unknown> {
  if (!isPostgres(db)) {
    const row = `(${isShared.map(() => '?').join(', ')})`;
    return sql.raw(Array(count).fill(row).join(', '));
  }
  const shared = isShared.filter(Boolean).length;
  let next = shared;
  const row = () => {
    let nextShared = 0;
    return `(${isShared.map((is) => `$${(is ? nextShared++ : next++) + 1}`).join(', ')})`;
  };
  return sql.raw(Array.from({ length: count }, row).join(', '));
}
