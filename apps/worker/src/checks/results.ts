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
import { type BackoffDeps, createBackoff } from '../leased/backoff.ts';
import { CHECK_NOT_STORABLE } from './bounds.ts';
import type { CheckConclusion, HeldCheck } from './held-check.ts';

/** The results of a job until they are stored, some at a time, while further checks are concluded. */
export interface Results {
  /** Adds a result, which is stored soon; waits for memory. */
  add(check: HeldCheck, conclusion: CheckConclusion): Promise<void>;
  /** Begins to store what there is. */
  flush(): void;
  /** Begins to store what there is if the oldest result has waited for 25 ms, or all have 1 Mi characters or more. */
  flushIfDue(): void;
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
/** A result waits about this long for others. */
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
  let sinceMs = 0;
  let storing: Promise<void> = Promise.resolve();

  const flush = () => {
    const results = waiting;
    [waiting, length] = [[], 0];
    if (results.length > 0) storing = storing.then(() => store(deps, results, signal));
  };
  const flushIfDue = () => {
    const isDue = length >= GROUP_LENGTH_MAX || Math.abs(now() - sinceMs) >= STORE_AFTER_MS;
    if (waiting.length > 0 && isDue) flush();
  };
  return {
    flush,
    flushIfDue,
    add: async (check, conclusion) => {
      const memory = deps.memory.open(tenant, { signal: () => signal });
      const size = conclusion.result.length;
      if (size >= LARGE_LENGTH_MIN) {
        flush();
        await memory.acquire(Math.min(size, RESULTS_LENGTH_MAX / 2));
      }
      if (waiting.length === 0) sinceMs = now();
      const { verdict } = conclusion;
      const completion = completionOf(check, conclusion, now());
      waiting.push({ check, completion, verdict, memory, isReplacement: false });
      length += size;
      flushIfDue();
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
 * Stores results until each is stored, or its check is lost. After a failure that may be due to one of them each is stored alone,
 * and one that fails then comes last.
 */
async function store(deps: ResultsDeps, results: readonly Result[], signal: AbortSignal): Promise<void> {
  const backoff = createBackoff(deps);
  let isApart = false;
  for (let left = dropEnded(results); left.length > 0; left = dropEnded(left)) {
    const group = isApart ? left.slice(0, 1) : left;
    const others = left.slice(group.length);
    const attempt = await tryStore(deps, group);
    switch (attempt.outcome) {
      case 'stored':
        left = others;
        break;
      case 'locked':
        if (signal.aborted) return leave(left);
        await backoff.afterFailure(signal);
        break;
      case 'unavailable':
        if (signal.aborted) return leave(left);
        isApart = true;
        left = [...others, ...group];
        await backoff.afterFailure(signal);
        break;
      case 'refused':
        isApart = true;
        if (group.length === 1) left = [...others, ...group.flatMap((each) => replace(deps, each, attempt.error))];
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

/** An error in place of a result that cannot be stored. If that cannot be stored either, the check is left until its lease ends. */
function replace({ log, now }: ResultsDeps, { check, memory, isReplacement }: Result, err: unknown): readonly Result[] {
  const { tenant, requestId } = check.claim;
  log.error({ err, tenant, requestId }, 'a result cannot be stored');
  memory.release();
  if (isReplacement) {
    check.end('retry');
    return [];
  }
  const conclusion = { ...concludeWithError(check.claim, CHECK_NOT_STORABLE), verdict: null };
  return [{ check, completion: completionOf(check, conclusion, now()), verdict: null, memory, isReplacement: true }];
}

/** Leaves results to the next worker. */
function leave(results: readonly Result[]): void {
  for (const { check, memory } of results) {
    check.end('stopped');
    memory.release();
  }
}
