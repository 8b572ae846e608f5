import { hasWindow } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { tenantScope } from '../../engine/scope.ts';
import { insertMissing } from '../../query/insert.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToAccount, type StoredAccount } from './codec.ts';
import { readSources } from './read.ts';

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

interface OfSource {
  readonly tenant: string;
  readonly sourceId: string;
}

/** Keeps the rows of accounts of one source as their access is, where they are kept. */
export async function followAccess(
  trx: Transaction<Tables>,
  { tenant, sourceId }: OfSource,
  changes: readonly AccessChange[],
): Promise<void> {
  if (changes.length === 0 || (await findKept(trx, { tenant, sourceId })) === undefined) return;
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
  if (account === null) return rows;
  const { key: account_id, source: source_id, access } = account;
  const mark = markOf(account_id);
  for (const ref of access) {
    if (hasWindow(ref)) continue;
    const { type: item_type, id: item_id } = ref;
    rows.set(`${item_type} ${item_id}`, { tenant, source_id, item_type, item_id, account_id, mark });
  }
  return rows;
}

const findKept = (db: Kysely<Tables>, { tenant, sourceId }: OfSource) =>
  db
    .selectFrom('kept_members')
    .select('is_complete')
    .where('tenant', '=', tenant)
    .where('source_id', '=', sourceId)
    .executeTakeFirst();

const ACCOUNTS_AT_ONCE = 500;

/**
 * Has the rows of the accounts of a source kept from now on, and adds those that it lacks, piece by piece. Does nothing where all
 * are there. SCIM alone has groups: a load of files writes no row for each item that an account has.
 */
export async function keepMembers(
  { read, writeAlone }: Pick<Database, 'read' | 'writeAlone'>,
  of: OfSource,
): Promise<void> {
  const { tenant, sourceId: source_id } = of;
  const kept = await read((db) => findKept(db, of));
  if (kept?.is_complete === 1) return;
  const scope = tenantScope(tenant);
  await writeAlone(scope, async (trx) => {
    const isThere = (await readSources(trx, tenant)).has(source_id);
    if (isThere) await insertMissing(trx, 'kept_members', [{ tenant, source_id, is_complete: 0 }]);
  });
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after;
    after = await writeAlone(scope, (trx) => addMembers(trx, of, from));
  }
}

/** Adds the rows of some accounts. Returns the key of the last one; null where there are no more. */
async function addMembers(trx: Transaction<Tables>, of: OfSource, after: string): Promise<string | null> {
  const { tenant, sourceId } = of;
  // The source may have been deleted meanwhile, and made anew.
  if ((await findKept(trx, of)) === undefined) return null;
  const rows = await trx
    .selectFrom('account')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('source_id', '=', sourceId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(ACCOUNTS_AT_ONCE)
    .execute();
  await followAccess(
    trx,
    of,
    rows.map((row) => ({ before: null, after: rowToAccount(row) })),
  );
  const last = rows.at(-1);
  if (last !== undefined && rows.length === ACCOUNTS_AT_ONCE) return last.id;
  await trx
    .updateTable('kept_members')
    .set({ is_complete: 1 })
    .where('tenant', '=', tenant)
    .where('source_id', '=', sourceId)
    .execute();
  return null;
}
