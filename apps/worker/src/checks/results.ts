import { concludeWithError } from '@access-admin/domain';
import type { Semaphore, Slot } from '@access-admin/scheduling';
import {
  type CheckCompletion,
  type CheckQueue,
  type ClaimedCheck,
  StorageLocked,
  StorageUnavailable,
} from '@access-admin/store';
import type { Logger } from 'pino';
import { ATTEMPTS_MAX } from '../leased/attempts.ts';
import { type BackoffDeps, createBackoff } from '../leased/backoff.ts';
import { CHECK_NOT_STORABLE } from './bounds.ts';
import { retryLater } from './give-back.ts';
import type { CheckConclusion, HeldCheck } from './held-check.ts';

/** The results of a job until they are stored, some at a time, while further checks are concluded. */
export interface Results {
  /** Adds a result; waits for memory. It is stored with those of 25 ms, or of 1 Mi characters. */
  add(check: HeldCheck, conclusion: CheckConclusion): Promise<void>;
  /** Stores what there is. Once the worker stops, one failure leaves it to the next worker. */
  storeAll(): Promise<void>;
}

export interface ResultsDeps extends BackoffDeps {
  readonly queue: Pick<CheckQueue, 'complete' | 'release'>;
  readonly log: Pick<Logger, 'debug' | 'error'>;
  /** For large results. */
  readonly memory: Semaphore;
  /** Milliseconds since 1970. */
  now(): number;
  onVerdict(check: ClaimedCheck, verdict: CheckConclusion['verdict']): void;
  /** Called when another worker seems to have taken checks whose results were to be stored. */
  onLost(): void;
}

/** The most characters of large results that wait, of all jobs. */
export const RESULTS_LENGTH_MAX = 32 * 2 ** 20;
const LARGE_LENGTH_MIN = 64 * 2 ** 10;
const GROUP_LENGTH_MAX = 2 ** 20;
/** How long a result waits for others. */
const STORE_AFTER_MS = 25;

interface Result {
  readonly check: HeldCheck;
  readonly completion: CheckCompletion;
  readonly verdict: CheckConclusion['verdict'];
  readonly memory: Slot;
  /** Whether it stands for one that cannot be stored. */
  readonly isReplacement: boolean;
}

export function openResults(deps: ResultsDeps, tenant: string, signal: AbortSignal): Results {
  const { now, log } = deps;
  let waiting: Result[] = [];
  let length = 0;
  const groups: (readonly Result[])[] = [];
  let storing: Promise<void> = Promise.resolve();

  const flush = () => {
    if (waiting.length === 0) return;
    groups.push(waiting);
    [waiting, length] = [[], 0];
    storing = storing.then(() => store(deps, groups, signal));
  };
  /** Waits by itself: the next check may wait for the storage. */
  const flushLater = async (results: Result[]) => {
    await deps.wait(STORE_AFTER_MS, signal);
    if (waiting === results) flush();
  };
  return {
    add: async (check, conclusion) => {
      const memory = deps.memory.open(tenant, { signal: () => signal });
      const size = conclusion.result.length;
      if (size >= LARGE_LENGTH_MIN) await memory.acquire(Math.min(size, RESULTS_LENGTH_MAX / 2));
      if (waiting.length === 0) void flushLater(waiting);
      const { verdict } = conclusion;
      const completion = completionOf(check, conclusion, now());
      waiting.push({ check, completion, verdict, memory, isReplacement: false });
      length += size;
      if (length >= GROUP_LENGTH_MAX) flush();
    },
    storeAll: async () => {
      flush();
      await storing.catch((err) => log.error({ err }, 'results are left until their leases end'));
    },
  };
}

const completionOf = (
  { claim: { tenant, requestId, created, fence } }: HeldCheck,
  { state, result, eventResult }: CheckConclusion,
  nowMs: number,
): CheckCompletion => {
  const completed = new Date(nowMs).toISOString();
  const completion = { tenant, requestId, created, fence, completed, state, result };
  return eventResult === undefined ? completion : { ...completion, eventResult };
};

/**
 * Stores groups of results, those that are added meanwhile too, until each result is stored, its check given back or lost. After a
 * failure that may be due to one result of a group each is stored alone, and one that fails then comes last.
 */
async function store(deps: ResultsDeps, groups: (readonly Result[])[], signal: AbortSignal): Promise<void> {
  const backoff = createBackoff(deps);
  for (let next = groups.shift(); next !== undefined; next = groups.shift()) {
    const group = dropEnded(next);
    if (group.length === 0) continue;
    const attempt = await tryStore(deps, group);
    const apart = group.map((result) => [result]);
    switch (attempt.outcome) {
      case 'stored':
        break;
      case 'locked':
      case 'unavailable':
        if (signal.aborted) return leave([...group, ...groups.splice(0).flat()]);
        await backoff.afterFailure(signal);
        if (attempt.outcome === 'locked') groups.unshift(group);
        else groups.push(...apart);
        break;
      case 'refused':
        if (group.length > 1) groups.unshift(...apart);
        else for (const each of group) groups.push(await settleRefused(deps, each, attempt.error));
    }
  }
}

type Attempt =
  | { readonly outcome: 'stored' }
  /** A long transaction of the tenant numbers its events: each of its results waits for that. */
  | { readonly outcome: 'locked' }
  /** The storage is away, or has no room for one of the results. */
  | { readonly outcome: 'unavailable' }
  /** One of the results cannot be stored. */
  | { readonly outcome: 'refused'; readonly error: unknown };

async function tryStore(deps: ResultsDeps, group: readonly Result[]): Promise<Attempt> {
  try {
    await storeGroup(deps, group);
    return { outcome: 'stored' };
  } catch (error) {
    if (error instanceof StorageLocked) return { outcome: 'locked' };
    if (!(error instanceof StorageUnavailable)) return { outcome: 'refused', error };
    deps.log.error({ err: error }, 'the storage failed');
    return { outcome: 'unavailable' };
  }
}

/** The results of checks that are still held; those that have been lost give their memory back. */
const dropEnded = (results: readonly Result[]): readonly Result[] =>
  results.filter(({ check, memory }) => {
    if (check.isEnded) memory.release();
    return !check.isEnded;
  });

async function storeGroup(
  { queue, log, now, onVerdict, onLost }: ResultsDeps,
  group: readonly Result[],
): Promise<void> {
  const stored = await queue.complete(group.map(({ completion }) => completion));
  // Or a write was repeated whose first answer was lost: the pause does no harm then.
  if (stored < group.length) onLost();
  const claimedMs = Math.min(...group.map(({ check }) => check.claimedMs));
  log.debug({ checks: group.length, ms: now() - claimedMs }, 'batch stored');
  for (const { check, completion, verdict, memory } of group) {
    onVerdict(check.claim, verdict);
    check.end(completion.state === 'SUCCESS' ? 'success' : 'error');
    memory.release();
  }
}

/**
 * Gives back a check whose result is refused, for a later attempt; after the last one returns an error in its place. If that is
 * refused as well, the check is left until its lease ends.
 */
async function settleRefused(
  deps: ResultsDeps,
  { check, memory, isReplacement }: Result,
  err: unknown,
): Promise<readonly Result[]> {
  const { tenant, requestId, attempts } = check.claim;
  deps.log.error({ err, tenant, requestId, attempts }, 'a result cannot be stored');
  memory.release();
  if (attempts < ATTEMPTS_MAX) await retryLater(deps, check);
  else if (isReplacement) check.end('retry');
  else {
    const conclusion = { ...concludeWithError(check.claim, CHECK_NOT_STORABLE), verdict: null };
    const completion = completionOf(check, conclusion, deps.now());
    return [{ check, completion, verdict: null, memory, isReplacement: true }];
  }
  return [];
}

/** Leaves results to the next worker. */
function leave(results: readonly Result[]): void {
  for (const { check, memory } of results) {
    check.end('stopped');
    memory.release();
  }
}
