import { randomBytes } from 'node:crypto';
import type { SodPolicy } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Reads } from '../engine/database.ts';
import { readMatches } from '../rows/model-tables.ts';
import { rowToSodPolicy } from '../rows/sod-policy-codec.ts';
import { raisePolicySetVersion, readPolicySetVersion } from '../rows/tenant.ts';
import type { Tables } from '../schema/tables.ts';
import type { RulebookChanges, RulebookVersion } from './versions.ts';

/** A reader that is further behind has to load the whole rulebook. */
const VERSIONS_MAX = 1_000;
const POLICIES_MAX = 1_000;

/** Raises the policy-set version and logs which policies have changed; null when more than policies has. */
export async function bumpRulebookVersion(
  trx: Transaction<Tables>,
  tenant: string,
  policies: readonly string[] | null,
): Promise<void> {
  await raisePolicySetVersion(trx, tenant);
  const version = await readPolicySetVersion(trx, tenant);
  const change = {
    change_id: randomBytes(8).toString('hex'),
    policies: policies === null || policies.length > POLICIES_MAX ? null : JSON.stringify(policies),
  };
  await trx
    .insertInto('rulebook_change')
    .values({ tenant, policy_set_version: version, ...change })
    .onConflict((conflict) => conflict.columns(['tenant', 'policy_set_version']).doUpdateSet(change))
    .execute();
  await trx
    .deleteFrom('rulebook_change')
    .where('tenant', '=', tenant)
    .where('policy_set_version', '<=', version - VERSIONS_MAX)
    .execute();
}

/** The current version of the rulebook. */
export async function readRulebookVersion(db: Kysely<Tables>, tenant: string): Promise<RulebookVersion> {
  const policySetVersion = await readPolicySetVersion(db, tenant);
  const row = await db
    .selectFrom('rulebook_change')
    .select('change_id')
    .where('tenant', '=', tenant)
    .where('policy_set_version', '=', policySetVersion)
    .executeTakeFirst();
  return { policySetVersion, changeId: row?.change_id ?? null };
}

interface LoggedChanges extends RulebookVersion {
  readonly policies: ReadonlySet<string>;
}

/** Null unless the log has all changes since, and they concern a limited number of policies only. Call it in a transaction. */
export async function readLog(
  db: Kysely<Tables>,
  tenant: string,
  since: RulebookVersion,
): Promise<LoggedChanges | null> {
  const [first, ...changes] = await db
    .selectFrom('rulebook_change')
    .select(['policy_set_version', 'change_id', 'policies'])
    .where('tenant', '=', tenant)
    .where('policy_set_version', '>=', since.policySetVersion)
    .orderBy('policy_set_version')
    .execute();
  const now = await readRulebookVersion(db, tenant);
  if (first === undefined || first.change_id !== since.changeId) return null;
  if (now.policySetVersion !== since.policySetVersion + changes.length) return null;
  const policies = new Set<string>();
  for (const change of changes) {
    if (change.policies === null) return null;
    const ids: readonly string[] = JSON.parse(change.policies);
    for (const id of ids) policies.add(id);
    if (policies.size > POLICIES_MAX) return null;
  }
  return { ...now, policies };
}

/** All reads must be as of one instant. */
export async function readPolicyChanges(
  { read }: Reads,
  tenant: string,
  since: RulebookVersion,
): Promise<RulebookChanges | null> {
  const logged = await read((db) => readLog(db, tenant, since));
  if (logged === null) return null;
  const { policies, ...version } = logged;
  const upserts = await read((db) => readPolicies(db, tenant, policies));
  const present = new Set(upserts.map(({ id }) => id));
  return { ...version, upserts, deletes: [...policies].filter((id) => !present.has(id)) };
}

async function readPolicies(db: Kysely<Tables>, tenant: string, ids: ReadonlySet<string>): Promise<SodPolicy[]> {
  const policies: SodPolicy[] = [];
  for await (const rows of readMatches(db, { table: 'sod_policy', tenant }, ids)) {
    for (const row of rows) policies.push(rowToSodPolicy(row));
  }
  return policies;
}
