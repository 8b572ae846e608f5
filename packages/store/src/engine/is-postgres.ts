import { PostgresAdapter, type QueryExecutorProvider } from 'kysely';

/** Whether a database is one of PostgreSQL, where several transactions write at a time. */
export const isPostgres = (db: QueryExecutorProvider): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
