import {
  firstTrendDay,
  type NamedRef,
  SOD_VIOLATION_LEVELS,
  type SodViolationLevel,
  type TrendDay,
  trendUntil,
} from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { RegisterView } from './register/head.ts';

/** Present violations. */
interface Present {
  readonly open: number;
  readonly mitigated: number;
}

/** The counts of a register. */
export interface RegisterSummary extends Present {
  /** Null before the first filling. */
  readonly asOf: string | null;
  readonly policySetVersion: number;
  readonly identities: number;
  readonly byLevel: readonly (Present & { readonly level: SodViolationLevel })[];
  /** The policies with the most open violations, at most 1,000. */
  readonly byPolicy: readonly (Present & { readonly policy: NamedRef<'SOD_POLICY'>; readonly oldest: string | null })[];
  readonly trend: readonly TrendDay[];
}

const POLICIES_MAX = 1_000;
const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** Reads the kept counts of a register: the number of violations does not matter. */
export async function readSummary(
  db: Kysely<Tables>,
  { asOf, policySetVersion, identities }: RegisterView,
  { tenant, now, days }: { readonly tenant: string; readonly now: string; readonly days: number },
): Promise<RegisterSummary> {
  const levels = await readLevels(db, tenant);
  const byLevel = SOD_VIOLATION_LEVELS.map((level, at) => {
    const { open = 0, mitigated = 0 } = levels.find(({ level_rank }) => level_rank === at + 1) ?? {};
    return { level, open, mitigated };
  }).toReversed();
  const sum = (count: (each: Present) => number) => byLevel.reduce((total, each) => total + count(each), 0);
  const present = { open: sum(({ open }) => open), mitigated: sum(({ mitigated }) => mitigated) };
  const changed = await db
    .selectFrom('register_day')
    .select(['day as date', 'opened', 'ended'])
    .where('tenant', '=', tenant)
    .where('day', '>=', firstTrendDay(asOf ?? now, days))
    .execute();
  return {
    asOf,
    policySetVersion,
    identities,
    ...present,
    byLevel,
    byPolicy: await readPolicies(db, tenant),
    trend: trendUntil(asOf ?? now, { days, changed, open: present.open + present.mitigated }),
  };
}

const readLevels = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('register_count')
    .select(['level_rank', sumOf('open'), sumOf('mitigated')])
    .where('tenant', '=', tenant)
    .groupBy('level_rank')
    .execute();

const sumOf = <Column extends 'open' | 'mitigated'>(column: Column) =>
  sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column);

/** The oldest present violation of each policy is found by an index, once for its time and the name of its policy. */
async function readPolicies(db: Kysely<Tables>, tenant: string): Promise<RegisterSummary['byPolicy']> {
  const { rows } = await sql<PolicyRow>`
    select policy_id, open, mitigated, (
      select created || policy_name from sod_violation
      where tenant = ${tenant} and policy_id = counted.policy_id and closed is null order by created limit 1
    ) as oldest
    from (
      select policy_id, ${sumOf('open')}, ${sumOf('mitigated')} from register_count
      where tenant = ${tenant} and (open > 0 or mitigated > 0)
      group by policy_id order by 2 desc, policy_id desc limit ${sql.lit(POLICIES_MAX)}
    ) as counted order by open desc, policy_id desc`.execute(db);
  return rows.map(({ policy_id: id, open, mitigated, oldest }) => ({
    policy: { type: 'SOD_POLICY', id, name: oldest?.slice(TIME_LENGTH) ?? id },
    open,
    mitigated,
    oldest: oldest?.slice(0, TIME_LENGTH) ?? null,
  }));
}

interface PolicyRow extends Present {
  readonly policy_id: string;
  /** Its time, and the name of the policy. */
  readonly oldest: string | null;
}
