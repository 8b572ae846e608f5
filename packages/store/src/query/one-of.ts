import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Whether a column has one of some texts. PostgreSQL takes these as one array: with a parameter for each it compares every row with
 * every text, once it plans the statement for any texts.
 */
export const isOneOf = (db: Kysely<Tables>, column: string, texts: readonly string[]): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql<boolean>`${sql.ref(column)} = any(${texts}::text[])`
    : sql<boolean>`${sql.ref(column)} in (${sql.join(texts)})`;
