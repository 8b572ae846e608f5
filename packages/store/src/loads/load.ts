import type { AuditContext, Failure, Load, LoadMode, LoadPart, Result } from '@access-admin/domain';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Page } from '../query/page.ts';
import type { Leases } from '../queue/leases.ts';

/** What names a load. */
export interface LoadKey {
  readonly source: string;
  readonly loadId: string;
}

export interface NewLoad extends LoadKey {
  readonly mode: LoadMode;
  readonly dryRun: boolean;
}

/** A load that a worker may apply until its lease ends. */
export interface LoadClaim {
  readonly tenant: string;
  readonly loadId: string;
  readonly fence: number;
  /** With this one; those before the last progress are not counted. */
  readonly attempts: number;
  readonly source: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly committed: string;
}

/** What became of a claimed load: there is more to do, it has ended, or another worker has it. */
export type LoadStep = 'more' | 'done' | 'lost';

/** When a piece of a load is applied, and what is awaited meanwhile. */
export interface LoadTurn {
  /** ISO 8601 in UTC with milliseconds. */
  readonly now: string;
  readonly pause: Pause;
}

/** Loads of sources: what callers do with them, and what workers do with those that are committed. */
export interface LoadStore extends Leases<LoadClaim> {
  /** Opens a load. `NotFound` without such a source, `Conflict` while another load of it is open or runs. */
  create(auditContext: AuditContext, load: NewLoad): Promise<Result<Load, Failure>>;
  /** Stores a part of an open load, in place of an earlier one with its number. */
  putPart(
    auditContext: AuditContext,
    load: LoadKey & LoadPart & { readonly part: number },
  ): Promise<Result<null, Failure>>;
  /** Has workers apply a load that is open, or one that was refused for what it deletes. */
  commit(
    auditContext: AuditContext,
    load: LoadKey & { readonly confirmed: number | null },
  ): Promise<Result<Load, Failure>>;
  /** Removes an open load. */
  cancel(auditContext: AuditContext, load: LoadKey): Promise<Result<null, Failure>>;
  find(tenant: string, load: LoadKey): Promise<Load | null>;
  /** The loads of a source, the latest first. */
  list(tenant: string, source: string, page: Page): Promise<readonly Load[]>;
  count(tenant: string, source: string): Promise<number>;
  /**
   * Takes the next step of a claimed load: examines all of it, which changes nothing, applies a piece, deletes some accounts, or
   * ends it. A step that changes something is one transaction, which also notes how far the load has come.
   */
  advance(claim: LoadClaim, turn: LoadTurn): Promise<LoadStep>;
  /** Ends a claimed load in ERROR. */
  fail(claim: LoadClaim, end: { readonly now: string; readonly message: string }): Promise<void>;
  /** Ends a load that was open for too long, or removes some parts of one that has ended; true when there may be more. */
  removeExpired(nowMs: number): Promise<boolean>;
}
