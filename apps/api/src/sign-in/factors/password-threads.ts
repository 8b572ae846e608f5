import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createSemaphore, withSlot } from '@access-admin/scheduling';
import { Piscina } from 'piscina';
import { withinTime } from '../../event-loop/deadline.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { Argon2Cost } from './argon2.ts';

/** A password to be hashed with `salt`, or to be compared with the hash `stored`. */
export interface PasswordJob {
  readonly password: string;
  readonly stored: string | null;
  readonly salt: Uint8Array;
  readonly cost: Argon2Cost;
}

/** Threads that do nothing but hash passwords. */
export interface PasswordThreads extends AsyncDisposable {
  /**
   * Resolves with a hash, or with whether the password is right. The addresses that jobs come from are served in turn. Rejects
   * with `Unavailable` beyond the bound of waiting jobs, where the newest job of the address that has most is refused, and when it
   * takes too long: a job that still waits then never runs.
   */
  run(job: PasswordJob, address: string): Promise<string | boolean>;
}

interface PasswordThreadOptions {
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly threads?: number;
  /** More jobs are refused at once. */
  readonly waitingMax?: number;
  /** A job that is not done by then is refused. */
  readonly waitMsMax?: number;
  /** What runs the jobs, on as many threads. */
  readonly pool?: PasswordPool;
}

interface PasswordPool {
  run(job: PasswordJob): Promise<string | boolean>;
  destroy(): Promise<void>;
}

// About two seconds of work of one thread.
const WAITING_MAX = 64;
const THREADS_MAX = 4;
// Other processes of a busy machine come before the threads, so that their work may take many times as long.
const WAIT_MS_MAX = 5_000;
const IDLE_MS_MAX = 60_000;

/** Opens the threads, one processor less than there are. Each begins with a job that waits; none keeps the process running. */
export function openPasswordThreads({
  threads = Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1)),
  waitingMax = WAITING_MAX,
  waitMsMax = WAIT_MS_MAX,
  pool = openPool(threads),
  elapsed,
}: PasswordThreadOptions): PasswordThreads {
  const semaphore = createSemaphore({
    capacity: threads,
    tenantMax: threads,
    waitingMax,
    refuses: 'longest',
    elapsed,
  });
  let isClosed = false;
  return {
    run: async (job, address) => {
      if (isClosed) throw closing();
      const givenUp = new AbortController();
      const slot = semaphore.open(address, { signal: () => givenUp.signal });
      const work = withSlot(slot, busy, async () => {
        if (isClosed) throw closing();
        return pool.run(job);
      }).catch((error: unknown) => {
        throw isClosed ? closing() : error;
      });
      const giveUp = () => {
        givenUp.abort();
        return busy();
      };
      return withinTime(work, { ms: waitMsMax, toError: giveUp });
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await pool.destroy();
    },
  };
}

const openPool = (threads: number): PasswordPool =>
  new Piscina<PasswordJob, string | boolean>({
    filename: WORKER,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS_MAX,
  });

const busy = () => new Unavailable('PasswordsBusy', 'Too many passwords wait to be verified.');
const closing = () => new Unavailable('PasswordsBusy', 'The service is shutting down.');

/** Beside this file: as it is among the sources, as `password-worker.js` in a bundle. */
const WORKER = fileURLToPath(
  new URL(`./password-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);
