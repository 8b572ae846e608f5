import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { ROW_SIZES } from '../../query/model-tables.ts';
import { type Position, positionOf } from '../../query/order.ts';
import { countInParts, exactly, type Total } from '../../query/total.ts';
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
/** Matches that are passed over at once for an offset. */
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

/** Counts the matches in bounded parts, up to the limit and somewhat beyond. The number of all identities is kept. */
export async function countLookUp(searches: Searches, reading: Reading): Promise<Total> {
  const { read, limits } = searches;
  if (reading.query.conditions.length === 0 && reading.table === 'identity')
    return exactly(await countIdentities({ read }, reading.tenant));
  // A part is what is examined first: others wait for no more.
  const parts: Searches = { ...searches, limits: { ...limits, examined: [] } };
  let after: Position | null = null;
  let isFirst = true;
  let isEnd = false;
  return countInParts(async () => {
    if (isEnd) return null;
    // Only the first part asks the index, which finds either all matches or that they are many.
    const limit = isFirst && reading.query.conditions.length > 0 ? limits.counted : limits.sampled;
    const part = { after, limit, isWithoutIndex: !isFirst };
    const { rows, next } = await readKeys(parts, reading, part);
    isFirst = false;
    after = next;
    isEnd = next === null;
    return rows.length;
  }, limits.counted);
}

async function countIdentities({ read }: Reads, tenant: string): Promise<number> {
  const row = await read((db) =>
    db.selectFrom('tenant').select('identity_count').where('tenant', '=', tenant).executeTakeFirst(),
  );
  return Number(row?.identity_count ?? 0);
}
