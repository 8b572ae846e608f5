import {
  fillTrend,
  firstTrendDay,
  type NamedRef,
  SOD_VIOLATION_LEVELS,
  type SodViolationLevel,
  type TrendDay,
} from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';
import type { RegisterState } from './register/head.ts';

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

type PolicyCounts = RegisterSummary['byPolicy'];

/** The policies of the last summary of each tenant, valid while the counts have the same version. */
export type KnownPolicyCounts = (
  tenant: string,
  version: string | null,
  read: () => Promise<PolicyCounts>,
) => Promise<PolicyCounts>;

// A thousand policies take some hundred kilobytes.
const TENANTS_MAX = 50;

export function createKnownPolicyCounts(): KnownPolicyCounts {
  const known = new LRUCache<string, { readonly version: string; readonly policies: PolicyCounts }>({
    max: TENANTS_MAX,
  });
  return async (tenant, version, read) => {
    const kept = known.get(tenant);
    if (kept !== undefined && kept.version === version) return kept.policies;
    const policies = await read();
    if (version !== null) known.set(tenant, { version, policies });
    return policies;
  };
}

interface Summarizing {
  readonly db: Kysely<Tables>;
  readonly knownPolicies: KnownPolicyCounts;
  readonly state: RegisterState;
}

/** Reads the kept counts of a register: the number of violations does not matter. */
export async function readSummary(
  { db, knownPolicies, state }: Summarizing,
  tenant: string,
  { now, days }: { readonly now: string; readonly days: number },
): Promise<RegisterSummary> {
  const levels = await db.selectFrom('register_level').selectAll().where('tenant', '=', tenant).execute();
  const byLevel = SOD_VIOLATION_LEVELS.map((level, at) => {
    const { open = 0, mitigated = 0 } = levels.find(({ level_rank }) => level_rank === at + 1) ?? {};
    return { level, open, mitigated };
  }).toReversed();
  const sum = (count: (each: Present) => number) => byLevel.reduce((total, each) => total + count(each), 0);
  return {
    asOf: state.asOf,
    policySetVersion: state.policySetVersion,
    identities: state.identities,
    open: sum(({ open }) => open),
    mitigated: sum(({ mitigated }) => mitigated),
    byLevel,
    byPolicy: await knownPolicies(tenant, state.countsVersion, () => readPolicies(db, tenant)),
    trend: await readTrend(db, tenant, { now: state.asOf ?? now, days }),
  };
}

/** The columns of the policies, each a JSON array. */
interface PackedPolicies {
  readonly ids: string;
  readonly names: string;
  readonly open: string;
  readonly mitigated: string;
  readonly oldest: string;
}

async function readPolicies(db: Kysely<Tables>, tenant: string): Promise<PolicyCounts> {
  // Reading an array takes less time than reading its rows.
  const pack = (column: keyof Tables['register_policy']) =>
    isPostgres(db)
      ? sql`coalesce(array_to_json(array_agg(${sql.ref(column)}))::text, '[]')`
      : sql`json_group_array(${sql.ref(column)})`;
  // Literals, because the partial index does not match parameters. A limit that the planner of PostgreSQL does not know lets it
  // take the index, which has the order, where it would sort all policies.
  const { rows } = await sql<PackedPolicies>`
    select ${pack('policy_id')} as ids, ${pack('name')} as names, ${pack('open')} as open,
      ${pack('mitigated')} as mitigated, ${pack('oldest')} as oldest
    from (
      select policy_id, name, open, mitigated, oldest from register_policy
      where tenant = ${tenant} and (open > 0 or mitigated > 0)
      order by open desc, policy_id desc limit (select ${sql.lit(POLICIES_MAX)})
    ) as most`.execute(db);
  const [packed] = rows;
  if (packed === undefined) return [];
  const ids: readonly string[] = JSON.parse(packed.ids);
  const names: readonly string[] = JSON.parse(packed.names);
  const open: readonly number[] = JSON.parse(packed.open);
  const mitigated: readonly number[] = JSON.parse(packed.mitigated);
  const oldest: readonly (string | null)[] = JSON.parse(packed.oldest);
  return ids.map((id, at) => ({
    policy: { type: 'SOD_POLICY', id, name: names[at] ?? '' },
    open: open[at] ?? 0,
    mitigated: mitigated[at] ?? 0,
    oldest: oldest[at] ?? null,
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
