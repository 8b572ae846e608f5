import * as initial from './postgres-migrations/0001-initial.ts';

export const POSTGRES_MIGRATIONS = { '0001-initial': initial };
