import type { AccessHolder, GrantingAccess } from '@access-admin/domain';
import { sql } from 'kysely';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import type { Reads } from '../../engine/database.ts';
import type { Position } from '../../query/order.ts';
import { countInParts, type Total } from '../../query/total.ts';
import { keyToRef, unpackAccess } from '../records/access-codec.ts';
import { findHaving } from '../records/find-holders.ts';
import { createHolderPage, type HolderPage, type HoldingIdentity } from './holder-page.ts';
import type { LookUpPage } from './page.ts';
import type { LookUpPart } from './query.ts';
import type { Searches } from './read-keys.ts';

/** The holders to read. */
export interface HolderReading {
  readonly tenant: string;
  readonly grantingAccess: GrantingAccess;
}

// Access that is read at once, as it is stored.
const BYTES_AT_ONCE = 1024 * 1024;
/** Where fewer than one in so many identities is a holder, the index is asked. */
const RARE = 50;
/** Holders that are passed over at once for an offset. */
const PASSED_AT_ONCE = 10_000;

/** Reads assignments by which identities hold something, in the order of the identities' ids, in bounded time. */
async function readHolders(
  searches: Searches,
  { tenant, grantingAccess }: HolderReading,
  part: Omit<LookUpPart, 'offset'> & { readonly isWithoutIndex?: boolean },
): Promise<LookUpPage<AccessHolder>> {
  const page = createHolderPage(grantingAccess, part);
  let isLast = await addNext(searches, tenant, page);
  const { gathered, identities, furtherReads } = searches.limits;
  const isRare = page.holders.length * RARE < identities;
  if (!isLast && !page.isFull() && isRare && part.isWithoutIndex !== true) {
    const of = { tenant, table: 'identity', most: gathered } as const;
    const ids = await findHaving(searches, of, [...grantingAccess.keys()].map(keyToRef));
    if (ids.size <= gathered) {
      await addSome(searches, { tenant, ids: [...ids].toSorted() }, page);
      return { records: page.holders, next: page.isFull() ? page.position() : null };
    }
  }
  for (let read = 0; read < furtherReads && !isLast && !page.isFull(); read++)
    isLast = await addNext(searches, tenant, page);
  return { records: page.holders, next: isLast && !page.isFull() ? null : page.position() };
}

/** The same after so many of them. */
export async function readHoldersAt(
  searches: Searches,
  reading: HolderReading,
  { limit, offset, after }: LookUpPart,
): Promise<LookUpPage<AccessHolder>> {
  let position = after;
  for (let left = offset; left > 0; ) {
    const passed = await readHolders(searches, reading, { limit: Math.min(left, PASSED_AT_ONCE), after: position });
    left -= passed.records.length;
    if (passed.next === null) return { records: [], next: null };
    position = passed.next;
  }
  return readHolders(searches, reading, { limit, after: position });
}

/** Counts them in bounded parts, up to the limit and somewhat beyond. */
export async function countHolders(searches: Searches, reading: HolderReading): Promise<Total> {
  const { limits } = searches;
  const parts: Searches = { ...searches, limits: { ...limits, furtherReads: 0 } };
  let after: Position | null = null;
  let isFirst = true;
  let isEnd = false;
  return countInParts(async () => {
    if (isEnd) return null;
    // Only the first part asks the index, which finds either all of them or that they are many.
    const part = { after, limit: limits.counted + 1, isWithoutIndex: !isFirst };
    const { records, next } = await readHolders(parts, reading, part);
    isFirst = false;
    after = next;
    isEnd = next === null;
    return records.length;
  }, limits.counted);
}

/** Adds the next identities by id. Returns whether there are no more. */
async function addNext({ read, limits }: Searches, tenant: string, page: HolderPage): Promise<boolean> {
  const from = sql`tenant = ${tenant} and ${page.rest()}`;
  const { rows: sizes } = await read((db) =>
    sql<{ readonly id: string; readonly size: number }>`select id, octet_length(access) as size from identity
      where ${from} order by id limit ${limits.identities}`.execute(db),
  );
  let count = 0;
  let bytes = 0;
  for (const { size } of sizes) {
    bytes += Number(size);
    if (count > 0 && bytes > BYTES_AT_ONCE) break;
    count += 1;
  }
  const last = sizes[count - 1];
  if (last === undefined) return true;
  addRows(page, await readAccess({ read }, sql`${from} and id <= ${last.id}`));
  return count === sizes.length && sizes.length < limits.identities;
}

const IDS_AT_ONCE = 250;

async function addSome(
  reads: Reads,
  { tenant, ids }: { readonly tenant: string; readonly ids: readonly string[] },
  page: HolderPage,
): Promise<void> {
  const pause = createPauses();
  const left = ids.filter(page.isAhead);
  for (let start = 0; start < left.length && !page.isFull(); start += IDS_AT_ONCE) {
    const some = sql.join(left.slice(start, start + IDS_AT_ONCE));
    addRows(page, await readAccess(reads, sql`tenant = ${tenant} and id in (${some})`));
    await pause();
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
