import type { Backlog } from '../../../query/backlog.ts';
import type { DataVersion } from '../../reports/source.ts';
import type { RegisterBatch } from './batch.ts';
import type { RegisterClaim, RegisterClaims } from './claim.ts';
import type { PublishedRound } from './publish-head.ts';
import type { RegisterSource } from './source.ts';

/** Keeping registers. A write of a claim returns false, and changes nothing, if another worker holds the register. */
export interface RegisterMaintenance extends RegisterClaims {
  /** The version of the data of a tenant. */
  readVersion(tenant: string): Promise<DataVersion>;
  openSource(tenant: string): Promise<RegisterSource>;
  /**
   * Stores and tells which exceptions the data of a source make void. Call it for the data of each round: later rounds compare
   * only what has changed since.
   */
  voidExceptions(tenant: string, source: Pick<RegisterSource, 'findVoid'>, now: string): Promise<void>;
  /** Stores some differences with their counts and events, and shows them. */
  apply(claim: RegisterClaim, batch: RegisterBatch): Promise<boolean>;
  /**
   * Ends a round: the register is complete up to its instant. First takes violations from owners that no longer exist, and
   * tells of exceptions that have expired; `more` while some of these are left.
   */
  publish(claim: RegisterClaim, round: PublishedRound): Promise<boolean | 'more'>;
  /** Removes violations and days that ended before an instant; `more` while some may be left. */
  removeEnded(claim: RegisterClaim, endedBefore: string): Promise<boolean | 'more'>;
  /** The registers that have not taken in what has changed, or whose time has come, for metrics. */
  measureBacklog(nowMs: number): Promise<Backlog>;
  /** The violations that the last full comparison of each register had to correct, over all tenants, for metrics. */
  countCorrected(): Promise<number>;
}
