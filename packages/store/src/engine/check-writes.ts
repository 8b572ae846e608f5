import type { EventType } from '@access-admin/domain';
import type { SodCheckRow } from '../schema/tables.ts';
import type { BacklogOutcome } from './backlog-room.ts';

/** A check to be stored, as its first row. */
export interface EnqueueRequest {
  readonly row: SodCheckRow;
  /** The number of pending checks that the tenant may have. */
  readonly backlogMax: number;
}

export interface ClaimRequest {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** A check with this many attempts is not claimed again. */
  readonly attemptsMax: number;
  /** 1 claims only checks that were claimed before; 0 if left out. */
  readonly attemptsMin?: 0 | 1;
  /** The most new checks of these tenants; 0 leaves a tenant out. All tenants have equal shares of the limit at most. */
  readonly tenantLimits?: ReadonlyMap<string, number>;
  /** The most new checks of each other tenant; no limit if left out. */
  readonly otherLimit?: number;
  /** Is told why the checks of one tenant cannot be claimed, where those of others can; that tenant is left out for a second. */
  readonly onFailure?: (tenant: string, error: unknown) => void;
}

/** The columns that a worker reads of a check. */
export type ClaimedRow = Omit<SodCheckRow, 'state' | 'claimable_at_ms' | 'completed' | 'result'>;

/** The columns that a claim is found by. */
export type ClaimKey = Pick<SodCheckRow, 'tenant' | 'request_id' | 'fence'>;

/** The columns that a completion sets, and its claim. */
export interface CompletionRow extends ClaimKey, Pick<SodCheckRow, 'state' | 'result'> {
  readonly completed: string;
  /** The data of its event; null where they are read from the row of the check. */
  readonly event_data: string | null;
}

/** What became of completions. */
export interface Completed {
  /** How many took effect. Each that did is told by an event. */
  readonly effective: number;
  /** Tenants whose events another transaction is numbering. None of their completions was tried. */
  readonly lockedTenants: ReadonlySet<string>;
}

/** The writes of the check queue, each in the engine's fastest way. `CheckQueue` of the checks says what they mean. */
export interface CheckWrites {
  enqueue(request: EnqueueRequest): Promise<BacklogOutcome>;
  /** Claims rows, in any order. */
  claim(request: ClaimRequest): Promise<readonly ClaimedRow[]>;
  /** Does not wait for a transaction that numbers events. */
  complete(completions: readonly CompletionRow[]): Promise<Completed>;
  release(claim: ClaimKey, availableAtMs: number): Promise<void>;
  /** Returns the claims that are still the latest. */
  renew(claims: readonly ClaimKey[], leaseEndMs: number): Promise<readonly Pick<ClaimKey, 'tenant' | 'request_id'>[]>;
  giveBack(claims: readonly ClaimKey[]): Promise<void>;
  /** `nextClaimableAtMs` of the queue where one look at all tenants takes long; null where the queue takes it. */
  readonly nextClaimableAtMs: (() => Promise<number | null>) | null;
}

type Age = Pick<SodCheckRow, 'created' | 'request_id'>;

/** Orders rows by age, and those of one instant by request id. */
export const byAge = (left: Age, right: Age): number =>
  compare(left.created, right.created) || compare(left.request_id, right.request_id);

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** The type of the event of a completed check. */
export const COMPLETED = 'sod.check.completed' satisfies EventType;
