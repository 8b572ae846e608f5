import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/**
 * Locks the row of a line, and makes it before the first write. Its lock ends with the transaction of the node that has the data,
 * whatever becomes of the coordinator. That has advisory locks, and another one in its place would know none of them.
 */
export async function lockLine(trx: Transaction<Tables>, tenant: string, line: string): Promise<void> {
  const { rows } = await sql`
    select 1 from tenant_change where tenant = ${tenant} and line = ${line} for update`.execute(trx);
  if (rows.length > 0) return;
  await sql`
    insert into tenant_change (tenant, line, version, write_id) values (${tenant}, ${line}, 0, '')
    on conflict (tenant, line) do update set version = tenant_change.version`.execute(trx);
}
