import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';

/**
 * Whether a column has one of many texts, as one parameter. A parameter for each takes long to compile; and PostgreSQL, which
 * prepares long statements, would compare all of them with each row of the tenant.
 */
export const isOneOf = (db: QueryExecutorProvider, column: string, texts: readonly string[]): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql`${sql.ref(column)} = any(${texts}::text[])`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`;
