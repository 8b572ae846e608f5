import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { examine } from '../../query/examine.ts';
import { compare } from '../../query/filter.ts';
import { allOf, type Position } from '../../query/order.ts';
import { countInParts, exactly, type Total } from '../../query/total.ts';
import { type ColumnCondition, indexed, isIndexed, unindexed } from './conditions.ts';
import { columnConditions } from './names.ts';
import { type RegisterCondition, sortKeysOf } from './query.ts';
import { GATHERING } from './read-page.ts';

interface Counting {
  readonly tenant: string;
  readonly conditions: readonly RegisterCondition[];
  /** A count that has passed it may end. */
  readonly countedMax: number;
}

/**
 * Counts the violations that meet the conditions. Conditions on `Open` and `Mitigated`, with or without levels, are answered from
 * the kept counts, always exactly. Others count rows in bounded parts, up to the bound and somewhat beyond.
 */
export async function countViolations(reads: Reads, given: Counting): Promise<Total> {
  const { tenant, conditions, countedMax } = given;
  const all = await columnConditions(reads, tenant, conditions);
  const kept = keptCount(tenant, all);
  if (kept !== null) return exactly(await readCount(reads, kept));
  const selective = all.filter((condition) => INDEXED.includes(condition.column) && isSelective(condition));
  if (selective.length === all.length && all.length < 2) {
    const count = await countUpTo(reads, ofTenant(tenant, all.map(indexed)), countedMax);
    return { count, isExact: count <= countedMax };
  }
  for (const condition of selective) {
    if ((await countUpTo(reads, ofTenant(tenant, [indexed(condition)]), countedMax)) > countedMax) continue;
    const others = all.filter((other) => other !== condition).map(unindexed);
    const where = ofTenant(tenant, [indexed(condition), ...others]);
    return exactly(await countUpTo(reads, where, countedMax));
  }
  return countExamined(reads, all.map(unindexed), given);
}

/** Columns of which an index finds the rows with some values. */
const INDEXED: readonly ColumnCondition['column'][] = [...GATHERING, 'status', 'level_rank'];
const isSelective = (condition: ColumnCondition) => condition.read === undefined && isIndexed(condition);

/** What is examined at once while nothing else of the process runs. */
const EXAMINED_AT_ONCE = 2_000;

/** Examines all violations of a tenant. */
function countExamined(
  reads: Reads,
  conditions: readonly RawBuilder<boolean>[],
  { tenant, countedMax }: Counting,
): Promise<Total> {
  const keys = sortKeysOf({ sorters: [] });
  const range = ofTenant(tenant, []);
  const rest = allOf(conditions);
  let after: Position | null = null;
  let isEnd = false;
  return countInParts(async () => {
    if (isEnd) return null;
    const part = { after, count: EXAMINED_AT_ONCE, limit: EXAMINED_AT_ONCE };
    const { rows, last } = await reads.read((db) =>
      examine<object>(db, { table: 'sod_violation', columns: sql`id`, keys, range, rest, isFenced: true }, part),
    );
    after = last;
    isEnd = last === null;
    return rows.length;
  }, countedMax);
}

/** One more where there are more. */
const countUpTo = (reads: Reads, where: RawBuilder<boolean>, most: number): Promise<number> =>
  readCount(reads, sql`select count(*) from (select 1 from sod_violation where ${where} limit ${most + 1}) as met`);

async function readCount({ read }: Reads, count: RawBuilder<unknown>): Promise<number> {
  const { rows } = await read((db) => sql<{ readonly count: number }>`select (${count}) as count`.execute(db));
  return Number(rows[0]?.count ?? 0);
}

const ofTenant = (tenant: string, conditions: readonly RawBuilder<boolean>[]) =>
  allOf([sql`tenant = ${tenant}`, ...conditions]);

const KEPT = [
  ['Open', 'open'],
  ['Mitigated', 'mitigated'],
] as const;
const KEPT_BY: readonly ColumnCondition['column'][] = ['status', 'level_rank'];

/** Null if the kept counts cannot answer the conditions. */
function keptCount(tenant: string, conditions: readonly ColumnCondition[]): RawBuilder<unknown> | null {
  if (!conditions.every(({ column, operator }) => KEPT_BY.includes(column) && operator === 'in')) return null;
  const statuses = conditions.filter(({ column }) => column === 'status');
  const isKept = (status: string | number) => KEPT.some(([name]) => name === status);
  if (statuses.length === 0 || !statuses.every(({ values }) => values.every(isKept))) return null;
  const counted = KEPT.filter(([status]) => statuses.every(({ values }) => values.includes(status)));
  const sums = counted.map(([, column]) => sql.ref(column));
  const levels = conditions.filter(({ column }) => column === 'level_rank');
  const where = ofTenant(
    tenant,
    levels.map((level) => compare(sql.ref('level_rank'), level)),
  );
  return sql`select coalesce(sum(${sql.join([sql.lit(0), ...sums], sql` + `)}), 0) from register_count where ${where}`;
}
