import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Placeholders of `count` parameters, after `before` others of the same statement. Kysely would compile each of them on its
 * own, which takes as long as the statement. The values are bound by the caller.
 */
export function placeholders(
  db: Kysely<Tables>,
  { count, before = 0 }: { readonly count: number; readonly before?: number },
): RawBuilder<unknown> {
  return sql.raw(placeholderTexts(db, { count, before }).join(', '));
}

/** The same for rows with a parameter for each column. Those of shared columns come first, and are those of all rows. */
export function rowPlaceholders(
  db: Kysely<Tables>,
  { count, isShared }: { readonly count: number; readonly isShared: readonly boolean[] },
): RawBuilder<unknown> {
  const shared = isShared.filter(Boolean).length;
  const texts = placeholderTexts(db, { count: shared + count * (isShared.length - shared), before: 0 });
  let next = shared;
  const row = () => {
    let nextShared = 0;
    return `(${isShared.map((is) => texts[is ? nextShared++ : next++]).join(', ')})`;
  };
  return sql.raw(Array.from({ length: count }, row).join(', '));
}

function placeholderTexts(
  db: Kysely<Tables>,
  { count, before }: { readonly count: number; readonly before: number },
): readonly string[] {
  const isNumbered = isPostgres(db);
  return Array.from({ length: count }, (_, at) => (isNumbered ? `$${before + at + 1}` : '?'));
}
