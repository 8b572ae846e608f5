import type { Store } from '@access-admin/store';
import { createLongWork } from '../claims/long-work.ts';
import { createTurns } from '../turns/turns.ts';
import { createWork, type WorkDeps } from './work.ts';

export interface RunLoopDeps extends WorkDeps {
  readonly onCommit: Store['onCommit'];
}

export interface RunLoop {
  /** Works on checks and reports, for an equal share of the time for each tenant, until the signal is aborted; resolves when what is done is stored and the rest given back. */
  run(signal: AbortSignal): Promise<void>;
  /** Waits until other work of the process, such as a delivery, may start, as part of its tenant's share of the time. */
  readonly awaitStart: AwaitStart;
}

/** While there is work, more is looked for this often after a commit, and that often without one. */
const CLAIM_NOTICED_MS = 25;
const CLAIM_EVERY_MS = 250;
// Without a reason, each abort makes an error with its stack.
const WOKEN = 'woken';
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;

export function createRunLoop(deps: RunLoopDeps, { leaseMs }: { readonly leaseMs: number }): RunLoop {
  const { now } = deps;
  let wakeup = new AbortController();
  let [isNoticed, claimedMs] = [false, now()];
  const nextTick = () => deps.wait(0, NEVER);
  const wakeUp = () => wakeup.abort(WOKEN);
  const longWork = createLongWork({ busyMs: deps.busyMs, nextTick });
  const busyMs = () => deps.busyMs() - longWork.workedMs();
  const turns = createTurns({ busyMs, nextTick, onProgress: wakeUp });
  const work = createWork({ ...deps, busyMs }, { turns, longWork, leaseMs, wake: wakeUp });

  const isClaimDue = () =>
    work.isClaimDue() || Math.abs(now() - claimedMs) >= (isNoticed ? CLAIM_NOTICED_MS : CLAIM_EVERY_MS);
  const claim = async (isAtOnce: boolean): Promise<number> => {
    isNoticed = false;
    try {
      return await work.claim(isAtOnce);
    } finally {
      // At its end: its own commit may take as long as the pause between two claims.
      claimedMs = now();
    }
  };
  const storeAndClaim = async (): Promise<number> => {
    // At the same time, so that they can share a commit.
    const [stored, claimed] = await Promise.allSettled([work.store(), claim(true)]);
    if (stored.status === 'rejected') throw stored.reason;
    if (claimed.status === 'rejected') throw claimed.reason;
    // A check that was released may be claimable sooner.
    return stored.value > 0 ? 0 : claimed.value;
  };

  /** Runs a slice of work, or waits for some. */
  const proceed = async (signal: AbortSignal) => {
    // Created before claiming, so that a commit in the meantime is not missed.
    wakeup = new AbortController();
    work.throwFailure();
    await work.renew();
    if (work.isStoreDue()) await work.store();
    if (isClaimDue()) await claim(false);
    if (await turns.runSlice()) return turns.pause(nextTick);
    const isWaiting = turns.isWaiting() || work.isLongUnderWay();
    // More work would wait for the database too.
    const idleMs = isWaiting && !isClaimDue() ? CLAIM_NOTICED_MS : await storeAndClaim();
    const waitMs = Math.min(idleMs, isWaiting ? CLAIM_NOTICED_MS : leaseMs / 4, work.storeIdleMs());
    if (waitMs > 0 && !signal.aborted) await turns.pause(() => deps.wait(waitMs, wakeup.signal));
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const wake = () => {
      isNoticed = true;
      wakeup.abort(WOKEN);
    };
    const unsubscribe = deps.onCommit(wake);
    signal.addEventListener('abort', wake, { once: true });
    await repeat(deps, signal, () => proceed(signal));
    unsubscribe();
    starts.end();
    await work.stop();
  };

  return { run, awaitStart: starts.awaitStart };
}

/** Repeats work until the signal is aborted; waits after a failure, longer from failure to failure. */
async function repeat({ log, wait, random }: RunLoopDeps, signal: AbortSignal, work: () => Promise<void>) {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await work();
      failures = 0;
    } catch (err) {
      log.error({ err }, 'the storage failed');
      await wait(backoffMs(failures, random()), signal);
      failures += 1;
    }
  }
}

const NEVER = new AbortController().signal;

const backoffMs = (failures: number, random: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MAX_MS) * (0.5 + random / 2);
