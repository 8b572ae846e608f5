import type { SodViolationStatus } from '@access-admin/domain';
import type { RulebookVersion } from '../rulebook/versions.ts';
import type { KnownPolicy, RegisterClaim } from './claim.ts';
import type { PresentViolation, StoredViolation } from './present.ts';
import type { RegisterSource } from './source.ts';

/** A violation that has ended. */
export interface EndedViolation {
  readonly stored: StoredViolation;
  readonly status: Extract<SodViolationStatus, 'Remediated' | 'Closed'>;
}

/** Some differences between a register and an evaluation. */
export interface RegisterBatch {
  /** The instant of the evaluation, ISO 8601. */
  readonly at: string;
  readonly leaseEndMs: number;
  readonly opened: readonly PresentViolation[];
  readonly changed: readonly { readonly stored: StoredViolation; readonly found: PresentViolation }[];
  readonly ended: readonly EndedViolation[];
  /** When time alone may change violations of identities next; null for never. */
  readonly due: readonly { readonly identityId: string; readonly due: string | null }[];
}

/** The end of a round. */
export interface RegisterRound extends RulebookVersion {
  readonly identityRevision: number;
  readonly identities: number;
  readonly asOf: string;
  /** When everything is to be compared next; null where that stays. */
  readonly compareDue: string | null;
  /** How many violations a full comparison had to correct; null if the round was none. */
  readonly corrected: number | null;
}

/** Keeping registers. Every write of a claim returns false, and changes nothing, when another worker has taken the register. */
export interface RegisterMaintenance {
  /** Claims the register of a tenant whose data have changed, whose time has come, or that is of the future; null when there is none. */
  claim(request: {
    readonly nowMs: number;
    readonly leaseMs: number;
    /** Tenants to leave out. */
    readonly except: readonly string[];
  }): Promise<RegisterClaim | null>;
  release(claim: RegisterClaim, availableAtMs: number): Promise<void>;
  /** Makes a full comparison due for registers whose last one was before an instant, or is in the future. */
  demandComparisons(now: string, comparedBefore: string): Promise<void>;
  /** The violations that the last full comparison of each register had to correct, over all tenants, for metrics. */
  countCorrected(): Promise<number>;
  openSource(tenant: string): Promise<RegisterSource>;
  renew(claim: RegisterClaim, leaseEndMs: number): Promise<boolean>;
  /** Stores differences with their counts and events in one transaction. */
  apply(claim: RegisterClaim, batch: RegisterBatch): Promise<boolean>;
  /** Stores policies of the round, and forgets those without violations that are gone. */
  savePolicies(claim: RegisterClaim, policies: readonly KnownPolicy[], gone: readonly string[]): Promise<boolean>;
  /** Takes violations from owners that no longer exist; `more` while some may be left. */
  clearOwners(claim: RegisterClaim, ownerIds: readonly string[], at: string): Promise<boolean | 'more'>;
  /** Forgets the logged deletions up to a revision; `more` while some may be left. */
  forgetDeletions(claim: RegisterClaim, revision: number): Promise<boolean | 'more'>;
  /** Tells of exceptions that have expired up to an instant, each once; `more` while some may be left. */
  tellExpired(claim: RegisterClaim, until: string): Promise<boolean | 'more'>;
  /** Removes violations and days that ended before an instant; `more` while some may be left. */
  removeEnded(claim: RegisterClaim, endedBefore: string): Promise<boolean | 'more'>;
  /** Ends the round: the register now has the data of its source. The lease ends too. */
  finish(claim: RegisterClaim, round: RegisterRound): Promise<boolean>;
}
