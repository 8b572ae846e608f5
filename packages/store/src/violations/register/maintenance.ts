import type { Backlog } from '../../query/backlog.ts';
import type { DataVersion } from '../../reports/source.ts';
import type { RulebookVersion } from '../../rulebook/versions.ts';
import type { RegisterBatch } from './batch.ts';
import type { RegisterClaim } from './claim.ts';
import type { ChangedPolicies } from './counts.ts';
import type { RegisterSource } from './source.ts';

/** The end of a round. */
export interface RegisterRound extends RulebookVersion {
  readonly identityRevision: number;
  readonly identities: number;
  /** The instant that the register is of. */
  readonly asOf: string;
  /** When it is concluded. */
  readonly now: string;
  /** When everything is to be compared next; null where that stays. */
  readonly compareDue: string | null;
  /** How many violations a full comparison had to correct; null if the round was none. */
  readonly corrected: number | null;
  /** The policies that differ from those that the register knew. */
  readonly changed: ChangedPolicies;
  /** Whether the claim goes on with another round. */
  readonly goesOn: boolean;
}

/** Keeping registers. Every write of a claim returns false, and changes nothing, when another worker has taken the register. */
export interface RegisterMaintenance {
  /** Claims the register of a tenant whose data have changed, whose time has come, that is of the future or that is unsettled; null when there is none. */
  claim(request: {
    readonly nowMs: number;
    readonly leaseMs: number;
    /** Tenants to leave out. */
    readonly except: readonly string[];
  }): Promise<RegisterClaim | null>;
  release(claim: RegisterClaim, availableAtMs: number): Promise<void>;
  /** Makes a full comparison due for registers whose last one was before an instant, or is in the future. */
  demandComparisons(now: string, comparedBefore: string): Promise<void>;
  /** The registers that have not taken in what has changed, or whose time has come, for metrics. */
  measureBacklog(nowMs: number): Promise<Backlog>;
  /** The violations that the last full comparison of each register had to correct, over all tenants, for metrics. */
  countCorrected(): Promise<number>;
  /** The version of the data of a tenant. */
  readVersion(tenant: string): Promise<DataVersion>;
  openSource(tenant: string): Promise<RegisterSource>;
  /**
   * Stores and tells which exceptions the data of a source make void, and returns them. Call it for the data of each round: later
   * rounds compare only what has changed since.
   */
  voidExceptions(tenant: string, source: Pick<RegisterSource, 'findVoid'>, now: string): Promise<ReadonlySet<string>>;
  renew(claim: RegisterClaim, leaseEndMs: number): Promise<boolean>;
  /** Stores a part of a round that is too large for one transaction. Readers see it when the round is concluded. */
  stage(claim: RegisterClaim, batch: RegisterBatch, leaseEndMs: number): Promise<boolean>;
  /**
   * Shows a round to readers, all at once: what was staged, the rest of it, the counts and the moment. The register now has
   * the data of its source. Ends the claim if nothing is left to do; `more` where something is to be settled. While something
   * is, a round that is not staged may have a few violations and identities: what concerns them is settled with it.
   */
  conclude(claim: RegisterClaim, batch: RegisterBatch, round: RegisterRound): Promise<boolean | 'more'>;
  /** Removes a part of what earlier claims have staged and not concluded; `more` while something may be left. */
  takeBack(claim: RegisterClaim, leaseEndMs: number): Promise<boolean | 'more'>;
  /**
   * Does a part of what concluded rounds have left: tells of what was staged and removes what that has replaced, takes
   * violations from owners that no longer exist, and tells of exceptions that have expired. `more` while something may be left.
   * Then the claim ends, unless it goes on with a round.
   */
  settle(
    claim: RegisterClaim,
    settling: { readonly leaseEndMs: number; readonly goesOn: boolean },
  ): Promise<boolean | 'more'>;
  /** Removes violations and days that ended before an instant; `more` while some may be left. */
  removeEnded(claim: RegisterClaim, endedBefore: string): Promise<boolean | 'more'>;
}
