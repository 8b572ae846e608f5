import type { AccessHolder, AccessRef, AccessType, Givers } from '@access-admin/domain';
import { sql } from 'kysely';
import { createBreather } from '../concurrency/breather.ts';
import type { Reads } from '../engine/database.ts';
import type { Place } from '../ordered/order.ts';
import { unpackAccess } from '../rows/access-codec.ts';
import { findHaving } from './givers.ts';
import { createHolderPage, type HolderPage, type HoldingIdentity } from './holder-page.ts';
import type { LookUpPage } from './page.ts';
import type { LookUpPart } from './query.ts';
import type { Searches } from './read-keys.ts';

/** The holders to read. */
export interface HolderReading {
  readonly tenant: string;
  readonly givers: Givers;
}

// Identities that are read at once, in the order of ids, and the bytes of their access. The first ones show how many hold.
const READ_AT_ONCE = 500;
const BYTES_AT_ONCE = 1024 * 1024;
/** Where fewer than one in so many identities is a holder, the index is asked. */
const RARE = 50;
/** Candidates of the index that are few enough to be sorted for each page. */
const GATHERED_MAX = 10_000;
// The times that a page reads further identities where the index has more candidates.
const FURTHER_READS = 12;

/** Reads assignments by which identities hold something, in the order of the identities' ids, in bounded time. */
export async function readHolders(
  searches: Searches,
  { tenant, givers }: HolderReading,
  part: Omit<LookUpPart, 'offset'>,
): Promise<LookUpPage<AccessHolder>> {
  const page = createHolderPage(givers, part);
  let isLast = await addNext(searches, tenant, page);
  if (!isLast && !page.isFull() && page.holders.length * RARE < READ_AT_ONCE) {
    const of = { tenant, table: 'identity', most: GATHERED_MAX } as const;
    const ids = await findHaving(searches, of, [...givers.keys()].map(toRef));
    if (ids.size <= GATHERED_MAX) {
      await addSome(searches, { tenant, ids: [...ids].toSorted() }, page);
      return { records: page.holders, next: page.isFull() ? page.place() : null };
    }
  }
  for (let read = 0; read < FURTHER_READS && !isLast && !page.isFull(); read++)
    isLast = await addNext(searches, tenant, page);
  return { records: page.holders, next: isLast && !page.isFull() ? null : page.place() };
}

/** Counts all of them, which takes as long as there are. */
export async function countHolders(searches: Searches, reading: HolderReading): Promise<number> {
  let count = 0;
  const breathe = createBreather();
  for (let after: Place | null = null; ; ) {
    const page: LookUpPage<AccessHolder> = await readHolders(searches, reading, { limit: GATHERED_MAX, after });
    count += page.records.length;
    if (page.next === null) return count;
    after = page.next;
    await breathe();
  }
}

function toRef(key: string): AccessRef {
  const at = key.indexOf(' ');
  return { type: key.slice(0, at) as AccessType, id: key.slice(at + 1) };
}

/** Adds the next identities by id. Returns whether there are no more. */
async function addNext({ read }: Reads, tenant: string, page: HolderPage): Promise<boolean> {
  const from = sql`tenant = ${tenant} and ${page.rest()}`;
  const { rows: sizes } = await read((db) =>
    sql<{ readonly id: string; readonly size: number }>`select id, octet_length(access) as size from identity
      where ${from} order by id limit ${READ_AT_ONCE}`.execute(db),
  );
  let [count, bytes] = [0, 0];
  for (const { size } of sizes) {
    bytes += Number(size);
    if (count > 0 && bytes > BYTES_AT_ONCE) break;
    count += 1;
  }
  const last = sizes[count - 1];
  if (last === undefined) return true;
  addRows(page, await readAccess({ read }, sql`${from} and id <= ${last.id}`));
  return count === sizes.length && sizes.length < READ_AT_ONCE;
}

const IDS_AT_ONCE = 250;

async function addSome(
  reads: Reads,
  { tenant, ids }: { readonly tenant: string; readonly ids: readonly string[] },
  page: HolderPage,
): Promise<void> {
  const breathe = createBreather();
  const left = ids.filter(page.isAhead);
  for (let start = 0; start < left.length && !page.isFull(); start += IDS_AT_ONCE) {
    const some = sql.join(left.slice(start, start + IDS_AT_ONCE));
    addRows(page, await readAccess(reads, sql`tenant = ${tenant} and id in (${some})`));
    await breathe();
  }
}

interface AccessRow {
  readonly id: string;
  readonly display_name: string | null;
  readonly access: string;
}

async function readAccess({ read }: Reads, condition: ReturnType<typeof sql>): Promise<readonly HoldingIdentity[]> {
  const { rows } = await read((db) =>
    sql<AccessRow>`select id, display_name, access from identity where ${condition} order by id`.execute(db),
  );
  return rows.map(({ id, display_name, access }) => ({
    identity: { type: 'IDENTITY', id, name: display_name ?? id },
    access: () => unpackAccess(access),
  }));
}

function addRows(page: HolderPage, rows: readonly HoldingIdentity[]): void {
  for (const row of rows) {
    if (page.isFull()) return;
    page.add(row);
  }
}
