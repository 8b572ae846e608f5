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

/** The same for rows of `width` parameters each. */
export function rowPlaceholders(
  db: Kysely<Tables>,
  { count, width }: { readonly count: number; readonly width: number },
): RawBuilder<unknown> {
  const texts = placeholderTexts(db, { count: count * width, before: 0 });
  const rows = Array.from({ length: count }, (_, row) => `(${texts.slice(row * width, (row + 1) * width).join(', ')})`);
  return sql.raw(rows.join(', '));
}

function placeholderTexts(
  db: Kysely<Tables>,
  { count, before }: { readonly count: number; readonly before: number },
): readonly string[] {
  const isNumbered = isPostgres(db);
  return Array.from({ length: count }, (_, at) => (isNumbered ? `$${before + at + 1}` : '?'));
}
