import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { compare } from '../ordered/comparison.ts';
import { allOf } from '../ordered/order.ts';
import { type ColumnCondition, indexed } from './conditions.ts';
import { columnConditions } from './names.ts';
import type { RegisterCondition } from './query.ts';

/** Counts the violations that meet the conditions: present ones by status and level from the kept counts, others one by one. */
export async function countViolations(
  reads: Reads,
  tenant: string,
  conditions: readonly RegisterCondition[],
): Promise<number> {
  const all = await columnConditions(reads, tenant, conditions);
  const count =
    keptCount(tenant, all) ?? sql`select count(*) from sod_violation where ${met(tenant, all.map(indexed))}`;
  const { rows } = await reads.read((db) => sql<{ readonly count: number }>`select (${count}) as count`.execute(db));
  return Number(rows[0]?.count ?? 0);
}

const met = (tenant: string, conditions: readonly RawBuilder<boolean>[]) =>
  allOf([sql`tenant = ${tenant}`, ...conditions]);

const KEPT = { Open: 'open', Mitigated: 'mitigated' } as const;
const isKept = (status: string | number): status is keyof typeof KEPT => status in KEPT;

/** Null where the kept counts do not have it. */
function keptCount(tenant: string, conditions: readonly ColumnCondition[]): RawBuilder<unknown> | null {
  const [byStatus, ...others] = conditions.filter(({ column }) => column === 'status');
  const levels = conditions.filter(({ column }) => column === 'level_rank');
  if (byStatus === undefined || others.length + levels.length + 1 !== conditions.length) return null;
  const statuses = byStatus.values.filter((status) => others.every(({ values }) => values.includes(status)));
  if (!statuses.every(isKept)) return null;
  const sums = [...new Set(statuses)].map((status) => sql.ref(KEPT[status]));
  const where = met(
    tenant,
    levels.map((level) => compare(sql.ref('level_rank'), level)),
  );
  return sql`select coalesce(sum(${sql.join([sql.lit(0), ...sums], sql` + `)}), 0) from register_level where ${where}`;
}
