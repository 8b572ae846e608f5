import type { ApprovedException, Catalogue, PolicyChanges, SodPolicy } from '@access-admin/domain';

/** One state of a tenant's rulebook. */
export interface RulebookVersion {
  readonly policySetVersion: number;
  /** Tells states of the same version apart, which a database that was put back may have; null for a tenant without rulebook. */
  readonly changeId: string | null;
}

/** The tenant's rulebook, read in one transaction. */
export interface Rulebook extends RulebookVersion {
  readonly catalogue: Catalogue;
  /** Every policy, enforced or not. */
  readonly policies: readonly SodPolicy[];
}

/** What makes an earlier state of the rulebook this one: the policies written since as they are now, enforced or not, and those gone. */
export interface RulebookChanges extends RulebookVersion, PolicyChanges {}

/** A compiled rulebook as its compiler packed it. */
export interface RulebookPack extends RulebookVersion {
  readonly bytes: Uint8Array;
}

/** Moves with each change of the identity (`revision`) and of the rulebook. */
export interface IdentityVersion extends RulebookVersion {
  /** Null when there is no such identity. */
  readonly revision: number | null;
  /** What it has approved exceptions for, in force, past or to come, by id; null for none. They change with its revision. */
  readonly exceptions: readonly ApprovedException[] | null;
}

/** The latest pack and what has changed since it, as of one moment. */
export interface StoredPack {
  readonly pack: RulebookPack;
  readonly changes: RulebookChanges;
}
