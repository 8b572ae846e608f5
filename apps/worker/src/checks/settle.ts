import { concludeWithError } from '@access-admin/domain';
import { type CheckQueue, StorageUnavailable } from '@access-admin/store';
import type { Logger } from 'pino';
import { CHECK_NOT_STORABLE } from '../claims/bounds.ts';
import { ATTEMPTS_MAX, failedForGood, retryDelayMs } from '../claims/policy.ts';
import { type BackoffDeps, createBackoff } from '../leased/backoff.ts';
import type { CheckConclusion, HeldCheck } from './held.ts';
import { createResult, firstGroup, GROUP_LENGTH_MAX, type UnstoredResult } from './result.ts';
import { createRetries, type Retries, refusedDelayMs } from './retry.ts';

/** Stores the outcomes of checks in groups: while one transaction is under way, those of all tenants gather for the next. */
export interface Settlement {
  /** The check has an outcome, which is stored soon. */
  conclude(check: HeldCheck, conclusion: CheckConclusion): void;
  /** Ends a check in `ERROR`; the message is for its reader. */
  endInError(check: HeldCheck, message: string): void;
  /** Releases the check for a later attempt, or ends it when this was its last. */
  fail(check: HeldCheck): void;
  /** Stores what there is, now or with the next transaction. */
  flush(): void;
  /** Stores what there is if the first outcome has waited for some time, or if it takes much memory. */
  flushIfDue(): void;
  /** Resolves when there is memory for another result. */
  whenFree(): Promise<void> | undefined;
  /** The tenants whose results wait for a transaction that numbers their events. */
  lockedTenants: Retries['lockedTenants'];
  /** Stores what there is once, and gives back the rest. */
  stop(): void;
}

export interface SettlementDeps extends BackoffDeps {
  readonly queue: Pick<CheckQueue, 'complete' | 'release' | 'renew' | 'giveBack'>;
  readonly log: Pick<Logger, 'debug' | 'error'>;
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Is told of each result that was stored, or that another worker has stored before. */
  onStored(result: UnstoredResult): void;
  /** Is told that other workers have taken checks whose results were to be stored. */
  onLost(): void;
}

const RELEASED_FIRST_MS = 100;
/** The results of an unfinished job wait about this long for the others of it. */
const STORE_AFTER_MS = 25;
const LOCKED_RETRY_MS = 25;
/** The most characters of results that wait while more checks are concluded. */
const UNSTORED_LENGTH_MAX = 32 * 2 ** 20;

export function createSettlement(deps: SettlementDeps): Settlement {
  const { queue, log, leaseMs, now, wait } = deps;
  const stopping = new AbortController();
  const memory = createMemory();
  let waiting: UnstoredResult[] = [];
  let waitingSinceMs = 0;
  /** How many of the waiting results are to be stored now. */
  let requested = 0;
  let isStoring = false;

  const add = (result: UnstoredResult) => {
    if (waiting.length === 0) waitingSinceMs = now();
    waiting.push(result);
  };
  const flush = () => {
    requested = waiting.length;
    if (!isStoring) void storeAll();
  };
  const conclude = (check: HeldCheck, conclusion: CheckConclusion, isReplacement = false) => {
    const result = createResult(check, conclusion, { nowMs: now(), isReplacement });
    check.isOpen = false;
    check.isBeingStored = true;
    memory.take(result.length, check.ended);
    add(result);
    if (isReplacement) requested += 1;
  };
  const endInError = (check: HeldCheck, message: string) =>
    conclude(check, { ...concludeWithError(check.claim, message), verdict: null });
  const giveBack = async (results: readonly UnstoredResult[]) => {
    try {
      await queue.giveBack(results.map(({ check }) => check.claim));
    } finally {
      for (const { check } of results) check.end('stopped');
    }
  };
  const retries = createRetries({
    wait,
    stopping: stopping.signal,
    onDue: (result) => {
      result.check.isBeingStored = true;
      if (result.check.isEnded) return;
      if (stopping.signal.aborted)
        return void giveBack([result]).catch((err) => log.error({ err }, 'results are left to the next worker'));
      add(result);
      flush();
    },
  });

  /** A storage that has no space for a result may have some later. Rejects when it accepts nothing at all. */
  const putOff = async (result: UnstoredResult) => {
    const { claim } = result.check;
    const [kept] = await queue.renew([claim], now() + leaseMs);
    const delayMs = refusedDelayMs(result.refusals, leaseMs / 4);
    result.refusals += 1;
    if (kept === undefined || !retries.add(result, delayMs)) await giveBack([result]);
  };
  const replace = (result: UnstoredResult, err: unknown) => {
    const { check } = result;
    const { tenant, requestId } = check.claim;
    log.error({ err, tenant, requestId }, 'a result cannot be stored');
    // If the replacement cannot be stored either, the check is left until its lease ends.
    if (result.isReplacement) check.end('retry');
    else conclude(check, { ...concludeWithError(check.claim, CHECK_NOT_STORABLE), verdict: null }, true);
  };
  /** Puts aside all results of tenants whose events another transaction is numbering, so that others are not held up. */
  const putAside = async (locked: readonly UnstoredResult[], tenants: ReadonlySet<string>) => {
    const isOfTenants = ({ completion }: UnstoredResult) => tenants.has(completion.tenant);
    const aside = [...locked, ...waiting.filter(isOfTenants)];
    waiting = waiting.filter((result) => !isOfTenants(result));
    for (const result of aside) result.isLocked = true;
    const beyond = aside.filter((result) => !retries.add(result, LOCKED_RETRY_MS));
    if (beyond.length > 0) await giveBack(beyond);
  };
  const noteStored = async (stored: readonly UnstoredResult[], effective: number) => {
    for (const result of stored) {
      deps.onStored(result);
      result.check.end(result.completion.state === 'SUCCESS' ? 'success' : 'error');
    }
    if (stored.length === 0) return;
    const claimedMs = Math.min(...stored.map(({ check }) => check.claimedMs));
    log.debug({ checks: stored.length, ms: now() - claimedMs }, 'batch stored');
    if (effective === stored.length) return;
    // Completed checks are not changed; the attempts of those whose leases have ended do not count.
    deps.onLost();
    await queue.giveBack(stored.map(({ check }) => check.claim));
  };
  /** Stores results together. */
  const storeGroup = async (group: readonly UnstoredResult[]) => {
    const { lockedTenants, effective } = await queue.complete(group.map(({ completion }) => completion));
    const [locked, stored] = partition(group, ({ completion }) => lockedTenants.has(completion.tenant));
    if (lockedTenants.size > 0) await putAside(locked, lockedTenants);
    await noteStored(stored, effective);
  };
  /** Stores one result, or finds out what is to become of it. */
  const storeOne = async (result: UnstoredResult) => {
    try {
      await storeGroup([result]);
    } catch (error) {
      if (result.check.isEnded) throw error;
      if (error instanceof StorageUnavailable) await putOff(result);
      else replace(result, error);
    }
  };
  const isDue = () =>
    waiting.length > 0 &&
    (Math.abs(now() - waitingSinceMs) >= STORE_AFTER_MS ||
      waiting.reduce((sum, { length }) => sum + length, 0) >= GROUP_LENGTH_MAX);
  const storeAll = async () => {
    isStoring = true;
    const backoff = createBackoff(deps);
    // After a failure each is stored alone.
    let isApart = false;
    for (;;) {
      waiting = waiting.filter(({ check }) => !check.isEnded);
      requested = Math.min(requested, waiting.length);
      if (requested === 0 && !isDue()) break;
      const group = isApart ? waiting.slice(0, 1) : firstGroup(waiting);
      waiting = waiting.slice(group.length);
      waitingSinceMs = now();
      requested = Math.max(0, requested - group.length);
      try {
        const [first, ...others] = group;
        await (first !== undefined && others.length === 0 ? storeOne(first) : storeGroup(group));
        backoff.reset();
      } catch (err) {
        const left = group.filter(({ check }) => !check.isEnded);
        waiting = [...left, ...waiting];
        requested = waiting.length;
        isApart = true;
        if (!(err instanceof StorageUnavailable)) continue;
        log.error({ err }, 'the storage failed');
        if (stopping.signal.aborted) leaveAll(err);
        else await backoff.afterFailure(stopping.signal);
      }
    }
    isStoring = false;
  };
  const leaveAll = (err: unknown) => {
    log.error({ err }, 'results are left to the next worker');
    for (const { check } of waiting) check.end('stopped');
  };

  return {
    conclude,
    endInError,
    fail: (check) => {
      const { claim } = check;
      if (claim.attempts >= ATTEMPTS_MAX) return endInError(check, failedForGood('check'));
      check.isOpen = false;
      const availableAtMs = now() + retryDelayMs(claim.attempts, RELEASED_FIRST_MS);
      // If that fails, another worker takes the check when its lease ends.
      void queue
        .release(claim, availableAtMs)
        .catch((err) => log.error({ err }, 'a check is left until its lease ends'))
        .finally(() => check.end('retry'));
    },
    flush,
    flushIfDue: () => {
      if (isDue()) flush();
    },
    whenFree: memory.whenFree,
    lockedTenants: retries.lockedTenants,
    stop: () => {
      stopping.abort('stopped');
      flush();
    },
  };
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** The memory that unstored results take, in characters. */
function createMemory() {
  let length = 0;
  let free: PromiseWithResolvers<void> | null = null;
  return {
    take: (taken: number, ended: Promise<void>) => {
      length += taken;
      void ended.then(() => {
        length -= taken;
        if (length > UNSTORED_LENGTH_MAX) return;
        free?.resolve();
        free = null;
      });
    },
    whenFree: (): Promise<void> | undefined => {
      if (length <= UNSTORED_LENGTH_MAX) return;
      free ??= Promise.withResolvers();
      return free.promise;
    },
  };
}
