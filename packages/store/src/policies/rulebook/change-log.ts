import { randomBytes } from 'node:crypto';
import type { AccessRef, EvaluatedPolicy } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { readMatches } from '../../query/model-tables.ts';
import { raisePolicySetVersion, readPolicySetVersion } from '../../record/tenants/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToSodPolicy } from './policy-codec.ts';
import type { RulebookChanges, RulebookVersion } from './versions.ts';

/** A reader that is further behind has to load the whole rulebook. */
const VERSIONS_MAX = 1_000;
const POLICIES_MAX = 1_000;
const ACCESS_MAX = 1_000;

/** A change of entitlements, access profiles or roles, and of policies with them. */
export interface CatalogueChange {
  readonly policies: readonly string[];
  /** The created records, and those with another name or content that violations depend on. */
  readonly access: readonly AccessRef[];
}

/** A change of a rulebook. */
export interface RulebookChange extends Pick<CatalogueChange, 'policies'> {
  /** Null when only policies have changed. */
  readonly access: readonly AccessRef[] | null;
}

/** Raises the policy-set version and logs what has changed. */
export async function bumpRulebookVersion(
  trx: Transaction<Tables>,
  tenant: string,
  { policies, access }: RulebookChange,
): Promise<void> {
  const version = await raisePolicySetVersion(trx, tenant);
  const isLittle = policies.length <= POLICIES_MAX && (access?.length ?? 0) <= ACCESS_MAX;
  const change = {
    change_id: randomBytes(8).toString('hex'),
    policies: isLittle && access === null ? JSON.stringify(policies) : null,
    catalogue: isLittle && access !== null ? JSON.stringify({ policies, access } satisfies CatalogueChange) : null,
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
  const logged = await readCatalogueLog(db, tenant, since);
  if (logged === null) return null;
  const { access, ...changes } = logged;
  return access === null ? changes : null;
}

interface LoggedCatalogueChanges extends LoggedChanges {
  /** Null when only policies have changed. */
  readonly access: readonly AccessRef[] | null;
}

/** The same with the changes of the catalogue, where these are limited, too. Records that were deleted are held by no one. */
export async function readCatalogueLog(
  db: Kysely<Tables>,
  tenant: string,
  since: RulebookVersion,
): Promise<LoggedCatalogueChanges | null> {
  const [first, ...changes] = await db
    .selectFrom('rulebook_change')
    .select(['policy_set_version', 'change_id', 'policies', 'catalogue'])
    .where('tenant', '=', tenant)
    .where('policy_set_version', '>=', since.policySetVersion)
    .orderBy('policy_set_version')
    .execute();
  const now = await readRulebookVersion(db, tenant);
  if (first === undefined || first.change_id !== since.changeId) return null;
  if (now.policySetVersion !== since.policySetVersion + changes.length) return null;
  const policies = new Set<string>();
  const access: AccessRef[] = [];
  let isCatalogue = false;
  for (const row of changes) {
    const change = changeOf(row);
    if (change === null) return null;
    for (const id of change.policies) policies.add(id);
    access.push(...(change.access ?? []));
    isCatalogue ||= change.access !== null;
    if (policies.size > POLICIES_MAX || access.length > ACCESS_MAX) return null;
  }
  return { ...now, policies, access: isCatalogue ? access : null };
}

function changeOf({
  policies,
  catalogue,
}: Pick<Tables['rulebook_change'], 'policies' | 'catalogue'>): RulebookChange | null {
  if (policies !== null) return { policies: JSON.parse(policies), access: null };
  const change: CatalogueChange | null = catalogue === null ? null : JSON.parse(catalogue);
  return change;
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

async function readPolicies(db: Kysely<Tables>, tenant: string, ids: ReadonlySet<string>): Promise<EvaluatedPolicy[]> {
  const policies: EvaluatedPolicy[] = [];
  for await (const rows of readMatches(db, { table: 'sod_policy', tenant }, ids)) {
    for (const row of rows) policies.push({ ...rowToSodPolicy(row), terms: row.terms });
  }
  return policies;
}
