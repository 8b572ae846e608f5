import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { ROW_SIZES } from '../query/model-tables.ts';
import { type Position, positionOf } from '../query/order.ts';
import { SEARCH_KINDS } from '../search/entry.ts';
import type { Searched } from './conditions.ts';
import { type LookUpKind, type LookUpPart, type LookUpQuery, lookUpKeysOf } from './query.ts';
import { type FoundKeys, type KeyRow, type Reading, readKeys, type Searches } from './read-keys.ts';
import { type ListedRecords, READ_RECORDS } from './records.ts';

/** Records of a list, and the position after which the next page begins; null at the end. */
export interface LookUpPage<R> {
  /** There may be fewer than asked for although more follow. */
  readonly records: readonly R[];
  readonly next: Position | null;
}

// Content of roles or access profiles that one page shows, as it is stored: names make it several times as long.
const PAGE_BYTES_MAX = 128 * 1024;
/** Matches that are passed over at once for an offset, and counted at once. */
const PASSED_AT_ONCE = 10_000;

export async function readLookUpPage<K extends LookUpKind>(
  searches: Searches,
  { tenant, kind, query }: { readonly tenant: string; readonly kind: K; readonly query: LookUpQuery },
  { limit, offset, after }: LookUpPart,
): Promise<LookUpPage<ListedRecords[K]>> {
  const reading: Reading = { tenant, table: kind, query };
  const from = await placeAtOffset(searches, reading, { offset, after });
  if (from === 'end') return { records: [], next: null };
  const found = await withinSize(searches, reading, await readSome(searches, reading, { after: from, limit }));
  const records = await READ_RECORDS[kind](searches, tenant, new Set(found.rows.map(({ id }) => id)));
  const byId = new Map(records.map((record) => [record.id, record]));
  return { records: found.rows.flatMap(({ id }) => byId.get(id) ?? []), next: found.next };
}

// The parts without a match that one page passes over. Other requests are served between them.
const EMPTY_PARTS_MAX = 20;

/** Reads matches. A part that has none, although more may follow, is passed over. */
async function readSome(
  searches: Searches,
  reading: Reading,
  { after, limit }: Pick<LookUpPart, 'after' | 'limit'>,
): Promise<FoundKeys> {
  let found = await readKeys(searches, reading, { after, limit });
  for (let parts = 0; parts < EMPTY_PARTS_MAX && found.rows.length === 0 && found.next !== null; parts++) {
    await setImmediate();
    found = await readKeys(searches, reading, { after: found.next, limit, isWithoutIndex: true });
  }
  return found;
}

/** The position after so many matches; `end` where there are no more. */
async function placeAtOffset(
  searches: Searches,
  reading: Reading,
  { offset, after }: Omit<LookUpPart, 'limit'>,
): Promise<Position | null | 'end'> {
  let position = after;
  for (let left = offset; left > 0; ) {
    const { rows, next } = await readKeys(searches, reading, {
      after: position,
      limit: Math.min(left, PASSED_AT_ONCE),
    });
    left -= rows.length;
    if (next === null) return 'end';
    position = next;
  }
  return position;
}

/** As many of the matches, one at least, as have content of limited size. */
async function withinSize({ read }: Reads, { tenant, table, query }: Reading, found: FoundKeys): Promise<FoundKeys> {
  if ((table !== 'role' && table !== 'access_profile') || found.rows.length < 2) return found;
  const ids = sql.join(found.rows.map(({ id }) => id));
  const { rows } = await read((db) =>
    sql<{ readonly id: string; readonly size: number }>`
      select id, ${ROW_SIZES[table]} as size from ${sql.table(table)} where tenant = ${tenant} and id in (${ids})
    `.execute(db),
  );
  const sizes = new Map(rows.map(({ id, size }) => [id, Number(size)]));
  const shown: KeyRow[] = [];
  let bytes = 0;
  for (const row of found.rows) {
    bytes += sizes.get(row.id) ?? 0;
    const last = shown.at(-1);
    if (bytes > PAGE_BYTES_MAX && last !== undefined)
      return { rows: shown, next: positionOf({ ...last }, lookUpKeysOf(query)) };
    shown.push(row);
  }
  return found;
}

/** Counts all matches. Without conditions it reads no more than an index; else it takes as long as there are matches. */
export async function countLookUp(searches: Searches, reading: Reading): Promise<number> {
  if (reading.query.conditions.length === 0) return countAll(searches, reading);
  let count = 0;
  for (let after: Position | null = null; ; ) {
    const found: FoundKeys = await readKeys(searches, reading, { after, limit: PASSED_AT_ONCE });
    count += found.rows.length;
    if (found.next === null) return count;
    after = found.next;
  }
}

async function countAll({ read }: Reads, { tenant, table }: Searched): Promise<number> {
  const kept = sql`select identity_count as count from tenant where tenant = ${tenant}`;
  const counted = sql`select count(*) as count from search_entry where tenant = ${tenant}
    and kind = ${sql.lit(SEARCH_KINDS[table])}`;
  const query = sql<{ readonly count: number }>`${table === 'identity' ? kept : counted}`;
  const { rows } = await read((db) => query.execute(db));
  return Number(rows[0]?.count ?? 0);
}
