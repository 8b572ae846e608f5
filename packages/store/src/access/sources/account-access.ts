import { hasWindow, type TimedAccessRef } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { insertMissing } from '../../query/insert.ts';
import type { Tables } from '../../schema/tables.ts';
import type { StoredAccount } from './codec.ts';

type AccessRow = Tables['account_access'];

const DIGITS = 10;

/** A number for an account, for sums over sets of accounts. */
const markOf = (key: string): number => Number.parseInt(key.replaceAll('-', '').slice(0, DIGITS), 16);

const ROWS_AT_ONCE = 100;

/** An account before and after a write; null where it does not exist. */
export interface AccessChange {
  readonly before: StoredAccount | null;
  readonly after: StoredAccount | null;
}

/** Keeps the rows of accounts as their access is. */
export async function followAccess(
  trx: Transaction<Tables>,
  tenant: string,
  changes: readonly AccessChange[],
): Promise<void> {
  const added: AccessRow[] = [];
  const removed: AccessRow[] = [];
  for (const { before, after } of changes) {
    const had = rowsOf(tenant, before);
    const has = rowsOf(tenant, after);
    for (const [item, row] of has) if (!had.has(item)) added.push(row);
    for (const [item, row] of had) if (!has.has(item)) removed.push(row);
  }
  for (let start = 0; start < removed.length; start += ROWS_AT_ONCE) {
    const rows = removed
      .slice(start, start + ROWS_AT_ONCE)
      .map((row) => sql`(${row.source_id}, ${row.item_type}, ${row.item_id}, ${row.account_id})`);
    await sql`delete from account_access where tenant = ${tenant}
      and (source_id, item_type, item_id, account_id) in (values ${sql.join(rows)})`.execute(trx);
  }
  await insertMissing(trx, 'account_access', added);
}

function rowsOf(tenant: string, account: StoredAccount | null): ReadonlyMap<string, AccessRow> {
  const rows = new Map<string, AccessRow>();
  for (const ref of account?.access ?? []) {
    if (account === null || hasWindow(ref)) continue;
    const { type: item_type, id: item_id } = ref satisfies TimedAccessRef;
    const { key: account_id, source: source_id } = account;
    rows.set(`${item_type} ${item_id}`, {
      tenant,
      source_id,
      item_type,
      item_id,
      account_id,
      mark: markOf(account_id),
    });
  }
  return rows;
}
