import * as initial from './postgres-migrations/0001-initial.ts';
import * as auditLog from './postgres-migrations/0002-audit-log.ts';

export const POSTGRES_MIGRATIONS = { '0001-initial': initial, '0002-audit-log': auditLog };
