import { hash } from 'node:crypto';
import { policyTermsOf, type SodPolicy } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { Snapshot } from '../../../engine/database.ts';
import { rowToSodPolicy } from '../../../policies/rulebook/policy-codec.ts';
import { readPages } from '../../../query/model-tables.ts';
import type { Tables } from '../../../schema/tables.ts';

/** A policy as the register knows it. */
export interface KnownPolicy {
  readonly policyId: string;
  /** Equal for policies that the same access violates; empty for a policy that is not enforced. */
  readonly terms: string;
}

/** Those with these ids, or all of them. */
export async function readKnownPolicies(
  db: Kysely<Tables>,
  tenant: string,
  ids: readonly string[] | null,
): Promise<ReadonlyMap<string, KnownPolicy>> {
  if (ids?.length === 0) return new Map();
  const all = db.selectFrom('register_policy').select(['policy_id as policyId', 'terms']).where('tenant', '=', tenant);
  const rows = await (ids === null ? all : all.where('policy_id', 'in', ids)).execute();
  return new Map(rows.map((policy) => [policy.policyId, policy]));
}

/** A policy as the register knows it. */
export const knownPolicyOf = (policy: SodPolicy): KnownPolicy => {
  const terms = policyTermsOf(policy);
  return { policyId: policy.id, terms: terms === '' ? '' : hash('sha256', terms, 'base64') };
};

/** All policies as they are now, in pages. */
export async function* readAllPolicies(snapshot: Snapshot, tenant: string): AsyncGenerator<readonly KnownPolicy[]> {
  for await (const rows of readPages(snapshot, 'sod_policy', tenant))
    yield rows.map((row) => knownPolicyOf(rowToSodPolicy(row)));
}
