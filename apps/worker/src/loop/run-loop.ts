import { type CheckQueue, latestClaimableAtMs, type SodReportStore, type Store } from '@access-admin/store';
import { type BatchDeps, createRunBatch } from '../checks/run-batch.ts';
import { createSettlement } from '../checks/settle.ts';
import { ATTEMPTS_MAX, createPeriodicSweep, failedForGood } from '../claims/policy.ts';
import type { Populations } from '../reports/population.ts';
import { createReportWork } from '../reports/work.ts';

export interface RunLoopDeps extends BatchDeps {
  readonly checks: Pick<CheckQueue, 'claim' | 'complete' | 'release' | 'failExhausted' | 'nextClaimableAtMs'>;
  readonly reports: SodReportStore;
  readonly populations: Populations;
  readonly onCommit: Store['onCommit'];
  /** From 0 up to, and without, 1. */
  random(): number;
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export interface RunLoop {
  /** Runs checks, and reports between them, until the signal is aborted; resolves when the current batch is stored. */
  run(signal: AbortSignal): Promise<void>;
}

const BATCH_MAX = 100;
/** After this many full batches in a row, checks that were claimed before are tried. */
const FULL_BATCHES_MAX = 10;
const IDLE_MAX_MS = 1_000;
const SWEEP_EVERY_MS = 1_000;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;

export function createRunLoop(deps: RunLoopDeps, { leaseMs }: { readonly leaseMs: number }): RunLoop {
  const { checks, log, now } = deps;
  const settlement = createSettlement(checks, now);
  const runBatch = createRunBatch(deps, settlement, leaseMs);
  const sweep = createSweep(deps);
  const reportWork = createReportWork({ ...deps, leaseMs });
  let fullBatches = 0;

  /** Runs a batch if there is one. Returns how long to wait for more, in ms; 0 when there may be more at once. */
  const poll = async (signal: AbortSignal): Promise<number> => {
    await settlement.store();
    await sweep();
    const nextAtMs = await checks.nextClaimableAtMs();
    if (nextAtMs === null) return IDLE_MAX_MS;
    const idleMs = nextAtMs - now();
    // A time later than any lease comes from a clock that was ahead: it is ignored, and the queue is asked.
    if (idleMs > 0 && nextAtMs <= latestClaimableAtMs(now(), leaseMs)) return Math.min(idleMs, IDLE_MAX_MS);
    const fresh = await runBatch({ limit: BATCH_MAX, attemptsMax: 1 });
    fullBatches = fresh < BATCH_MAX ? 0 : fullBatches + 1;
    if (signal.aborted || fullBatches % FULL_BATCHES_MAX > 0) return 0;
    // A check can crash the worker and lose its batch: checks that were claimed before are tried alone.
    const again = await runBatch({ limit: 1, attemptsMax: ATTEMPTS_MAX });
    return fresh + again > 0 ? 0 : IDLE_MAX_MS;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    let wakeup = new AbortController();
    const wake = () => wakeup.abort();
    const unsubscribe = deps.onCommit(wake);
    signal.addEventListener('abort', wake, { once: true });
    let failures = 0;
    while (!signal.aborted) {
      // Created before polling, so that a commit during the poll is not missed.
      wakeup = new AbortController();
      try {
        const idleMs = await poll(signal);
        failures = 0;
        // Checks come first: a report runs while there are none, and for one step between two batches.
        const hasWorked = !signal.aborted && (await reportWork.run(idleMs > 0 ? wakeup.signal : null));
        if (hasWorked) await deps.wait(0, signal);
        else await deps.wait(idleMs, idleMs > 0 ? wakeup.signal : signal);
      } catch (err) {
        log.error({ err }, 'the storage failed');
        await deps.wait(backoffMs(failures, deps.random()), signal);
        failures += 1;
      }
    }
    unsubscribe();
    await reportWork.stop().catch((err) => log.error({ err }, 'the report is left to the next worker'));
    await settlement.store().catch((err) => log.error({ err }, 'results are left to the next worker'));
  };

  return { run };
}

/** Ends, once a second, the checks whose worker died in their last attempt. */
const createSweep = ({ checks, now }: Pick<RunLoopDeps, 'checks' | 'now'>) =>
  createPeriodicSweep(now, SWEEP_EVERY_MS, async (nowMs) => {
    const completed = new Date(nowMs).toISOString();
    await checks.failExhausted({ nowMs, attemptsMax: ATTEMPTS_MAX, completed, message: failedForGood('check') });
    return false;
  });

const backoffMs = (failures: number, random: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MAX_MS) * (0.5 + random / 2);
