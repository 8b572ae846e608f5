import type {
  ApprovedException,
  Catalogue,
  EvaluatedPolicy,
  Explanation,
  PolicyChanges,
  SodInclude,
  TimedAccessRef,
} from '@access-admin/domain';

/** A value, or a promise of it where it is not in memory. A promise would cost more than the read from memory. */
export type MaybePromise<T> = T | Promise<T>;

/** One state of a tenant's rulebook. */
export interface RulebookVersion {
  readonly policySetVersion: number;
  /** Distinguishes states of the same version, which a restored database may have; null for a tenant without rulebook. */
  readonly changeId: string | null;
}

/** The version of an identity, which changes with each change of the identity and of the rulebook. */
export interface IdentityVersion extends RulebookVersion {
  /** Null when there is no such identity. */
  readonly revision: number | null;
  /** Its approved exceptions, past, present and future, by id; null for none. A change of them raises the revision. */
  readonly exceptions: readonly ApprovedException[] | null;
}

/** The policies that changed since an earlier version, and the version that they lead to. */
interface RulebookChanges extends RulebookVersion, PolicyChanges {}

/** The reads and writes behind the cache. A store offers them; the cache knows no other part of it. */
export interface RulebookSource {
  /** One atomic read. A tenant without data has version 0. */
  readVersion(tenant: string, identityId: string): MaybePromise<IdentityVersion>;
  /** The assignments of the identity as of one instant; null when there is no such identity. */
  readAssignments(
    tenant: string,
    identityId: string,
  ): Promise<{
    readonly policySetVersion: number;
    readonly revision: number;
    readonly access: readonly TimedAccessRef[];
  } | null>;
  /** The whole rulebook as of one instant. */
  loadRulebook(
    tenant: string,
  ): Promise<RulebookVersion & { readonly catalogue: Catalogue; readonly policies: readonly EvaluatedPolicy[] }>;
  /** The changes since a version, as of one instant; null when they are unknown or too many. */
  readPolicyChanges(tenant: string, since: RulebookVersion): Promise<RulebookChanges | null>;
  /** Aborted when the source closes. Long work on its data ends then. */
  readonly closing: AbortSignal;
  /** Receives the errors of background work, which has no caller. */
  warn(error: unknown): void;
}

/** The read behind explained predictions. */
export interface ExplanationSource {
  /** What explains violations of these policies; null unless rulebook and identity still have this version, `tooLarge` beyond the bounds of an explanation. */
  readExplanation(
    tenant: string,
    request: {
      readonly identityId: string;
      readonly accessRefs: readonly TimedAccessRef[];
      readonly policyIds: readonly string[];
      readonly version: IdentityVersion;
      /** What is to be explained; everything if left out. */
      readonly includes?: readonly SodInclude[];
    },
  ): Promise<Explanation | 'tooLarge' | null>;
}
