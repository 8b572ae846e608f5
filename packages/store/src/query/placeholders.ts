import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Placeholders of `count` rows with a parameter for each column. Those of shared columns come first, and are those of all rows.
 * Kysely would compile each of them on its own, which takes as long as the statement. The values are bound by the caller.
 */
export function rowPlaceholders(
  db: Kysely<Tables>,
  { count, isShared }: { readonly count: number; readonly isShared: readonly boolean[] },
): RawBuilder<unknown> {
  const shared = isShared.filter(Boolean).length;
  const texts = placeholderTexts(db, shared + count * (isShared.length - shared));
  let next = shared;
  const row = () => {
    let nextShared = 0;
    return `(${isShared.map((is) => texts[is ? nextShared++ : next++]).join(', ')})`;
  };
  return sql.raw(Array.from({ length: count }, row).join(', '));
}

function placeholderTexts(db: Kysely<Tables>, count: number): readonly string[] {
  const isNumbered = isPostgres(db);
  return Array.from({ length: count }, (_, at) => (isNumbered ? `$${at + 1}` : '?'));
}
