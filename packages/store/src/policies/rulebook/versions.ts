import type { Catalogue, EvaluatedPolicy, PolicyChanges } from '@access-admin/domain';

/** One state of a tenant's rulebook. */
export interface RulebookVersion {
  readonly policySetVersion: number;
  /** Distinguishes states of the same version, which a restored database may have; null for a tenant without rulebook. */
  readonly changeId: string | null;
}

/** The tenant's rulebook, read in one transaction. */
export interface Rulebook extends RulebookVersion {
  readonly catalogue: Catalogue;
  /** Every policy, enforced or not. */
  readonly policies: readonly EvaluatedPolicy[];
}

/** The policies that changed since an earlier version, as they are now, and the ids of the deleted ones. */
export interface RulebookChanges extends RulebookVersion, PolicyChanges {}

/** The version of an identity, which changes with each change of the identity and of the rulebook. */
export interface IdentityVersion extends RulebookVersion {
  /** Null when there is no such identity. */
  readonly revision: number | null;
}
