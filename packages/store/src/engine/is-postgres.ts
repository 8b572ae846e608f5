import { type QueryExecutorProvider, sql } from 'kysely';

/** Whether statements go to PostgreSQL, where several transactions write at a time. */
export const isPostgres = (db: QueryExecutorProvider): boolean => sql`${0}`.compile(db).sql === '$1';
