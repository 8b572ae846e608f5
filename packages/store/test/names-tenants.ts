import { TENANT_TABLES } from '../src/schema/tables.ts';

const OF_TENANTS = [...TENANT_TABLES.map(({ name }) => name), 'tenant_change'];

/** Whether a statement, as `plainSql` gives it, concerns a table that is distributed with the tenants. */
export const NAMES_TENANTS = new RegExp(`\\b(from|join|into|update) (${OF_TENANTS.join('|')})\\b`);
