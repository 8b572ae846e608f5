import { type CheckOutcome, concludeWithError } from '@access-admin/domain';
import { type CheckQueue, type ClaimedCheck, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { CHECK_NOT_STORABLE } from '../claims/bounds.ts';
import { ATTEMPTS_MAX, failedForGood, retryDelayMs } from '../claims/policy.ts';
import { createLockedResults, LOCKED_RETRY_MS, type LockedResults } from './locked.ts';
import { createRefused, type Refused } from './refused.ts';
import { createResults, type Results, STORE_AFTER_MS, type UnstoredResult } from './results.ts';
import type { HeldCheck } from './underway.ts';

/** The outcomes of claims that are not stored yet. */
export interface Settlement {
  conclude(check: HeldCheck, outcome: CheckOutcome): void;
  /** Ends a check in `ERROR`; the message is for its reader. */
  end(check: HeldCheck, message: string): void;
  /** Releases the check for a later attempt, or ends it when this was its last. */
  fail(check: HeldCheck): void;
  /** Whether outcomes should be stored now. */
  isDue(): boolean;
  /** Stores all outcomes that are due, results in groups. Those that the storage refuses for now are tried again later. Returns how many checks were released. */
  store(): Promise<number>;
  /** How long an idle worker may wait before it stores outcomes again, in milliseconds. */
  idleMs(): number;
  /** Gives back the checks whose results wait for a transaction of another process. */
  giveBack(): Promise<void>;
}

export interface SettlementDeps {
  readonly queue: Pick<CheckQueue, 'complete' | 'release' | 'renew' | 'giveBack'>;
  readonly log: Pick<Logger, 'debug' | 'error'>;
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** The time in which the process has worked, in milliseconds. */
  busyMs(): number;
  /** Is told the share of a tenant in the work of storing, in milliseconds. */
  onStored(tenant: string, ms: number): void;
  /** Is told that other workers have taken checks whose results were to be stored. */
  onLost(): void;
}

interface Release {
  readonly claim: ClaimedCheck;
  readonly failedMs: number;
  readonly availableAtMs: number;
}

const RETRY_FIRST_MS = 100;

export function createSettlement(deps: SettlementDeps): Settlement {
  const { queue, now } = deps;
  const results = createResults();
  const refused = createRefused(deps.leaseMs / 4);
  const locked = createLockedResults(deps);
  const releases: Release[] = [];

  const conclude = (check: HeldCheck, outcome: CheckOutcome, isReplacement = false) => {
    const { tenant, requestId, created, fence } = check.claim;
    const completion = { tenant, requestId, created, fence, completed: new Date(now()).toISOString(), ...outcome };
    results.add({ check, completion, refusals: 0, isReplacement }, now());
  };
  const end = (check: HeldCheck, message: string) => conclude(check, concludeWithError(check.claim, message));
  const replace = ({ check }: UnstoredResult) =>
    conclude(check, concludeWithError(check.claim, CHECK_NOT_STORABLE), true);
  const isReleaseDue = () => {
    const [first] = releases;
    return first !== undefined && Math.abs(now() - first.failedMs) >= STORE_AFTER_MS;
  };
  const storeResults = createStoreResults(deps, { results, refused, locked, replace });

  return {
    conclude: (check, outcome) => conclude(check, outcome),
    end,
    fail: (check) => {
      const { claim } = check;
      if (claim.attempts >= ATTEMPTS_MAX) end(check, failedForGood('check'));
      else
        releases.push({ claim, failedMs: now(), availableAtMs: now() + retryDelayMs(claim.attempts, RETRY_FIRST_MS) });
    },
    isDue: () => [results, refused, locked].some((some) => some.isDue(now())) || isReleaseDue(),
    store: async () => {
      await storeResults();
      const { length } = releases;
      // All at once, so that they share a commit. A repeated release has no effect.
      await Promise.all(releases.map(({ claim, availableAtMs }) => queue.release(claim, availableAtMs)));
      releases.splice(0, length);
      return length;
    },
    idleMs: () => (locked.count === 0 ? Number.POSITIVE_INFINITY : LOCKED_RETRY_MS),
    giveBack: () => locked.giveBack(),
  };
}

interface Unstored {
  readonly results: Results;
  /** Results that wait for their next attempt, with their leases renewed. */
  readonly refused: Refused;
  readonly locked: LockedResults;
  /** Ends the check of a result that cannot be stored. */
  replace(result: UnstoredResult): void;
}

/** Stores results in groups. After a failure each is stored alone, and one that cannot be stored is replaced. */
function createStoreResults(
  deps: SettlementDeps,
  { results, refused, locked, replace }: Unstored,
): () => Promise<void> {
  const { queue, log, leaseMs, now, busyMs } = deps;
  let isApart = false;

  const refuse = (result: UnstoredResult, err: unknown) => {
    results.remove([result]);
    const { tenant, requestId } = result.check.claim;
    log.error({ err, tenant, requestId }, 'a result cannot be stored');
    // If the replacement cannot be stored either, the check is left until its lease ends.
    if (!result.isReplacement) replace(result);
  };
  /** A storage without room for a result may have room later. Rejects when it accepts nothing at all. */
  const defer = async (result: UnstoredResult) => {
    const { claim } = result.check;
    const [kept] = await queue.renew([claim], now() + leaseMs);
    if (kept === undefined || !refused.add(result, now())) await queue.giveBack([claim]);
    results.remove([result]);
  };
  /** Puts aside all results of tenants whose events another transaction is numbering, so that others are not held up. */
  const putAside = async (tenants: ReadonlySet<string>) => {
    const waiting = results.of(tenants);
    await locked.keep(waiting);
    results.remove(waiting);
  };
  const storeGroup = async (group: readonly UnstoredResult[]) => {
    const [result] = group;
    const startMs = busyMs();
    let completed: Awaited<ReturnType<CheckQueue['complete']>>;
    try {
      completed = await queue.complete(group.map(({ completion }) => completion));
    } catch (error) {
      const isUnavailable = error instanceof StorageUnavailable;
      isApart = true;
      if (group.length > 1 || result === undefined) {
        if (isUnavailable) throw error;
        return;
      }
      if (isUnavailable) await defer(result);
      else refuse(result, error);
      return;
    }
    const { lockedTenants, effective } = completed;
    const stored = group.filter(({ completion }) => !lockedTenants.has(completion.tenant));
    results.remove(stored);
    // Completed checks are not changed; the attempts of those whose leases have ended do not count.
    if (effective < stored.length) await leave(deps, stored);
    if (lockedTenants.size > 0) await putAside(lockedTenants);
    if (stored.length > 0) noteStored(deps, stored, busyMs() - startMs);
  };

  return async () => {
    const addDue = (from: Pick<Refused, 'takeDue'> = refused) => {
      for (const result of from.takeDue(now())) results.add(result, now());
    };
    // Once, because the tenants may still be locked.
    addDue(locked);
    addDue();
    for (; results.count > 0; addDue()) await storeGroup(isApart ? results.group().slice(0, 1) : results.group());
    isApart = false;
  };
}

/** Takes back the attempts of claims that are not the latest any more. */
async function leave({ queue, onLost }: SettlementDeps, results: readonly UnstoredResult[]): Promise<void> {
  onLost();
  await queue.giveBack(results.map(({ check }) => check.claim));
}

/** Charges tenants for the work of storing their results. */
function noteStored({ log, now, onStored }: SettlementDeps, stored: readonly UnstoredResult[], ms: number): void {
  const total = stored.reduce((sum, { length }) => sum + length, 0);
  for (const { check, length } of stored) onStored(check.claim.tenant, (ms * length) / total);
  const claimedMs = Math.min(...stored.map(({ check }) => check.claimedMs));
  log.debug({ checks: stored.length, ms: now() - claimedMs }, 'batch stored');
}
