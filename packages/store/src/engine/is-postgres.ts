import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** Whether statements go to PostgreSQL, where several transactions write at a time. */
export const isPostgres = (db: Kysely<Tables>): boolean => sql`${0}`.compile(db).sql === '$1';
