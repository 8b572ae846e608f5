import { type RawBuilder, sql } from 'kysely';
import { startStopwatch } from '../../engine/concurrency/stopwatch.ts';
import type { Reads } from '../../engine/database.ts';
import { examine, type OrderedScan } from '../../query/examine.ts';
import { after, allOf, orderOf, type Position, positionOf } from '../../query/order.ts';
import type { SodViolationRow } from '../../schema/tables.ts';
import { type ColumnCondition, indexed, isIndexed, unindexed } from './conditions.ts';
import type { RegisterPage, ViolationKey } from './query.ts';

/** Rows of a page, and the position after which the next page begins; null at the end of the list. */
export interface RowsOfPage {
  readonly rows: readonly SodViolationRow[];
  readonly next: Position | null;
}

/** What is read: the conditions and the order. */
export interface Reading {
  readonly tenant: string;
  readonly conditions: readonly ColumnCondition[];
  readonly keys: readonly ViolationKey[];
  /** Whether a page may take long, because more pages would take longer. */
  readonly isPatient: boolean;
}

// Matches of one condition that are few enough to be sorted for each page.
const GATHERED_MAX = 2_000;
// What a page examines in the order of the list. A page that has examined all of them, or would take longer with the next
// ones, ends, and the next page goes on there.
const EXAMINED = [1_000, 2_000, 4_000, 6_000, 7_000];
const EXAMINE_MS = 20;

/** By selectivity: the conditions that may leave few rows first. */
export const GATHERING: readonly ColumnCondition['column'][] = [
  ...(['identity_id', 'target_name', 'owner_id', 'policy_id', 'policy_name', 'closed', 'created'] as const),
];
/** Columns that begin an index whose rows are in the order of `created`. */
const WALKING: readonly ColumnCondition['column'][] = [
  ...(['policy_id', 'policy_name', 'owner_id', 'status', 'level_rank'] as const),
];

/** Reads a page in bounded time, whatever the conditions leave, if it has no offset. */
export async function readPage(reads: Reads, reading: Reading, page: RegisterPage): Promise<RowsOfPage> {
  const { keys, conditions } = reading;
  const gathering = await findGathering(reads, reading);
  if (gathering !== null) {
    const others = conditions.filter((condition) => condition !== gathering).map(unindexed);
    const where = allOf([ofTenant(reading), indexed(gathering), ...others]);
    return readDirectly(reads, { keys, where, isGathered: true }, page);
  }
  const walking = findWalking(reading);
  // A condition on the first sort key bounds the part of the list that is read.
  const bounds = conditions.filter(({ column }) => column === keys[0]?.column).flatMap(boundsOf);
  const ranges = walking === null || bounds.includes(walking) ? bounds : [...bounds, walking];
  const rest = conditions.filter((condition) => !ranges.includes(condition)).map(unindexed);
  const range = allOf([ofTenant(reading), ...ranges.map(indexed)]);
  if (rest.length === 0 || page.offset > 0)
    return readDirectly(reads, { keys, where: allOf([range, ...rest]), isGathered: false }, page);
  return scan(reads, { keys, range, rest: allOf(rest), isPatient: reading.isPatient }, page);
}

/** A range of values; of several single ones, the range that they are in. */
function boundsOf(condition: ColumnCondition): readonly ColumnCondition[] {
  const { column, operator, values } = condition;
  if (operator !== 'in' || values.length < 2) return [condition];
  const first = values.toSorted().at(0) ?? '';
  const last = values.toSorted().at(-1) ?? '';
  return [
    { column, operator: 'ge', values: [first] },
    { column, operator: 'le', values: [last] },
  ];
}

const ofTenant = ({ tenant }: Reading): RawBuilder<boolean> => sql`tenant = ${tenant}`;

/** A condition that so few rows meet that all of them can be read. */
async function findGathering({ read }: Reads, reading: Reading): Promise<ColumnCondition | null> {
  for (const column of GATHERING)
    for (const condition of reading.conditions) {
      if (condition.column !== column || !isIndexed(condition)) continue;
      // It bounds the list in its order.
      if (column === reading.keys[0]?.column) continue;
      const { rows } = await read((db) =>
        sql<{ readonly count: number }>`select count(*) as count from (select 1 from sod_violation
          where ${ofTenant(reading)} and ${indexed(condition)} limit ${GATHERED_MAX + 1}) as met`.execute(db),
      );
      if (Number(rows[0]?.count) <= GATHERED_MAX) return condition;
    }
  return null;
}

/** A condition whose index has the order of the list. */
function findWalking({ conditions, keys: [first] }: Reading): ColumnCondition | null {
  if (first?.column !== 'created') return null;
  const single = conditions.filter(({ operator, values }) => operator === 'in' && values.length === 1);
  for (const column of WALKING) {
    const found = single.find((condition) => condition.column === column);
    if (found !== undefined) return found;
  }
  return null;
}

interface Direct {
  readonly keys: readonly ViolationKey[];
  readonly where: RawBuilder<boolean>;
  readonly isGathered: boolean;
}

async function readDirectly(
  { read }: Reads,
  { keys, where, isGathered }: Direct,
  { limit, offset, after: position }: RegisterPage,
): Promise<RowsOfPage> {
  const rest = position === null ? allOf([]) : after(keys, position);
  // Behind a limit, neither the order nor the position makes the engine search another index for the few rows.
  const source = isGathered
    ? sql`(select * from sod_violation where ${where} limit ${2 * GATHERED_MAX}) as met where ${rest}`
    : sql`sod_violation where ${where} and ${rest}`;
  const { rows } = await read((db) =>
    sql<SodViolationRow>`select * from ${source} order by ${orderOf(keys)} limit ${limit + 1} offset ${offset}`.execute(
      db,
    ),
  );
  return pageOf(rows, keys, limit);
}

function pageOf(found: readonly SodViolationRow[], keys: readonly ViolationKey[], limit: number): RowsOfPage {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? positionOf(last, keys) : null };
}

/** Examines the rows of a range in their order, a number of them at a time. */
async function scan(
  { read }: Reads,
  { keys, range, rest, isPatient }: Pick<OrderedScan, 'range' | 'rest'> & Pick<Reading, 'keys' | 'isPatient'>,
  { limit, after: start }: RegisterPage,
): Promise<RowsOfPage> {
  const found: SodViolationRow[] = [];
  const elapsedMs = startStopwatch();
  let position = start;
  let examined = 0;
  for (const count of EXAMINED) {
    if (!isPatient && examined > 0 && elapsedMs() * (1 + count / examined) > EXAMINE_MS) break;
    const part = { after: position, count, limit: limit + 1 - found.length };
    const { rows, last } = await read((db) =>
      examine<SodViolationRow>(
        db,
        { table: 'sod_violation', columns: sql`*`, keys, range, rest, isFenced: true },
        part,
      ),
    );
    found.push(...rows);
    if (found.length > limit || last === null) return pageOf(found, keys, limit);
    position = last;
    examined += count;
  }
  return { rows: found, next: position };
}
