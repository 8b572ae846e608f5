import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { compare } from '../query/filter.ts';
import { allOf } from '../query/order.ts';
import { type ColumnCondition, indexed } from './conditions.ts';
import { columnConditions } from './names.ts';
import type { RegisterCondition } from './query.ts';
import { visibleIn } from './records/visible.ts';
import type { RegisterState } from './register/head.ts';

interface Counting {
  readonly tenant: string;
  readonly conditions: readonly RegisterCondition[];
  readonly state: RegisterState;
}

/**
 * Counts the violations that meet the conditions. Conditions on `Open` and `Mitigated`, with or without levels, are answered from
 * the kept counts. All others count rows.
 */
export async function countViolations(reads: Reads, { tenant, conditions, state }: Counting): Promise<number> {
  const all = await columnConditions(reads, tenant, conditions);
  const visible = visibleIn(state);
  const where = [...all.map(indexed), ...(visible === null ? [] : [visible])];
  const count = keptCount(tenant, all) ?? sql`select count(*) from sod_violation where ${ofTenant(tenant, where)}`;
  const { rows } = await reads.read((db) => sql<{ readonly count: number }>`select (${count}) as count`.execute(db));
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
  return sql`select coalesce(sum(${sql.join([sql.lit(0), ...sums], sql` + `)}), 0) from register_level where ${where}`;
}
