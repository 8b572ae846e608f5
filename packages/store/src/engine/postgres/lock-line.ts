import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/**
 * Locks the row of a line, and makes it before the first write. The lock is with the data of the tenant, and ends with the
 * transaction there. An advisory lock would be with the server that the service calls, which another one may replace.
 */
export async function lockLine(trx: Transaction<Tables>, tenant: string, line: string): Promise<void> {
  const { rows } = await sql`
    select 1 from tenant_change where tenant = ${tenant} and line = ${line} for update`.execute(trx);
  if (rows.length > 0) return;
  await sql`
    insert into tenant_change (tenant, line, version, write_id) values (${tenant}, ${line}, 0, '')
    on conflict (tenant, line) do update set version = tenant_change.version`.execute(trx);
}
