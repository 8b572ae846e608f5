import {
  fillTrend,
  firstTrendDay,
  type NamedRef,
  SOD_VIOLATION_LEVELS,
  type SodViolationLevel,
  type TrendDay,
} from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { readRegisterView } from '../register/head.ts';
import type { Tables } from '../schema/tables.ts';

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

/** Reads the kept counts of a register: the number of violations does not matter. */
export async function readSummary(
  db: Kysely<Tables>,
  tenant: string,
  { now, days }: { readonly now: string; readonly days: number },
): Promise<RegisterSummary> {
  const view = await readRegisterView(db, tenant, now);
  const levels = await db.selectFrom('register_level').selectAll().where('tenant', '=', tenant).execute();
  const byLevel = SOD_VIOLATION_LEVELS.map((level, at) => {
    const { open = 0, mitigated = 0 } = levels.find(({ level_rank }) => level_rank === at + 1) ?? {};
    return { level, open, mitigated };
  }).toReversed();
  const sum = (count: (each: Present) => number) => byLevel.reduce((total, each) => total + count(each), 0);
  return {
    asOf: view.asOf,
    policySetVersion: view.policySetVersion,
    identities: view.identities,
    open: sum(({ open }) => open),
    mitigated: sum(({ mitigated }) => mitigated),
    byLevel,
    byPolicy: await readPolicies(db, tenant),
    trend: await readTrend(db, tenant, { now: view.asOf ?? now, days }),
  };
}

async function readPolicies(db: Kysely<Tables>, tenant: string): Promise<RegisterSummary['byPolicy']> {
  // Literals, because the partial index does not match parameters.
  const rows = await db
    .selectFrom('register_policy')
    .select(['policy_id', 'name', 'open', 'mitigated', 'oldest'])
    .where('tenant', '=', tenant)
    .where(({ eb, or }) => or([eb('open', '>', sql.lit(0)), eb('mitigated', '>', sql.lit(0))]))
    .orderBy('open', 'desc')
    .orderBy('policy_id', 'desc')
    .limit(POLICIES_MAX)
    .execute();
  return rows.map(({ policy_id: id, name, open, mitigated, oldest }) => ({
    policy: { type: 'SOD_POLICY', id, name },
    open,
    mitigated,
    oldest,
  }));
}

async function readTrend(
  db: Kysely<Tables>,
  tenant: string,
  { now, days }: { readonly now: string; readonly days: number },
): Promise<readonly TrendDay[]> {
  const first = firstTrendDay(now, days);
  // With the last day before them that had a change.
  const rows = await db
    .selectFrom('register_day')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(
      'day',
      '>=',
      sql<string>`coalesce(
      (select max(day) from register_day where tenant = ${tenant} and day < ${first}), ${first})`,
    )
    .where('day', '<=', now.slice(0, 10))
    .execute();
  const earlier = rows.find(({ day }) => day < first);
  const changed = new Map(rows.map(({ day, opened, ended, open }) => [day, { opened, ended, open }]));
  return fillTrend(changed, { now, days, before: earlier?.open ?? 0 });
}
