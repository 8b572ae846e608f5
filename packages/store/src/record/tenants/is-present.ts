import { type RawBuilder, sql } from 'kysely';

/** SQL: whether a tenant is not being removed. */
export const isPresent = (tenant: string): RawBuilder<boolean> =>
  sql`not exists (select 1 from tenant_removal where tenant_removal.tenant = ${tenant})`;
