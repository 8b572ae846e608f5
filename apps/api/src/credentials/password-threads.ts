import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../http/unavailable.ts';
import type { Argon2Cost } from './argon2.ts';
import { createWaitingJobs } from './waiting-jobs.ts';

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
   * Resolves with a hash, or with whether the password is right. Rejects with `Unavailable` beyond the bound of waiting jobs, and
   * when it has waited for too long.
   */
  run(job: PasswordJob): Promise<string | boolean>;
}

interface PasswordThreadOptions {
  readonly threads?: number;
  /** More jobs are refused at once. */
  readonly waitingMax?: number;
  /** A job that no thread has taken by then is refused. */
  readonly waitMsMax?: number;
}

// About two seconds of work of one thread.
const WAITING_MAX = 64;
const THREADS_MAX = 4;
// Other processes of a busy machine come before the threads, so that their work may take many times as long.
const WAIT_MS_MAX = 5_000;

interface Waiting {
  readonly job: PasswordJob;
  readonly resolve: (result: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

/** Opens the threads, one processor less than there are. Each begins with its first job; none keeps the process running. */
export function openPasswordThreads({
  threads = Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1)),
  waitingMax = WAITING_MAX,
  waitMsMax = WAIT_MS_MAX,
}: PasswordThreadOptions = {}): PasswordThreads {
  const busy = () => new Unavailable('PasswordsBusy', 'Too many passwords wait to be verified.');
  const waiting = createWaitingJobs<Waiting>({ waitingMax, waitMsMax, busy });
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let isClosed = false;

  const next = (worker: Worker) => {
    const first = waiting.take();
    if (first === undefined) idle.push(worker);
    else start(worker, first);
  };
  const start = (worker: Worker, { job, resolve, reject }: Waiting) => {
    const onMessage = (result: string | boolean) => {
      worker.off('exit', onExit);
      resolve(result);
      next(worker);
    };
    const onExit = () => {
      worker.off('message', onMessage);
      reject(new Error('A thread for passwords has ended.'));
      const first = isClosed ? undefined : waiting.take();
      if (first !== undefined) start(open(), first);
    };
    worker.once('message', onMessage);
    worker.once('exit', onExit);
    worker.postMessage(job);
  };
  const open = () => {
    const worker = new Worker(WORKER);
    all.add(worker);
    // Without a listener an error would end the process; `exit` follows it.
    worker.on('error', () => {});
    worker.on('exit', () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    worker.unref();
    return worker;
  };

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const one = { job, resolve, reject };
        if (isClosed) reject(new Unavailable('PasswordsBusy', 'The service is shutting down.'));
        else if (idle.length > 0) start(idle.pop() ?? open(), one);
        else if (all.size < threads) start(open(), one);
        else waiting.add(one);
      }),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      waiting.refuseAll(new Unavailable('PasswordsBusy', 'The service is shutting down.'));
      for (const worker of all) await worker.terminate();
    },
  };
}

/** Beside this file: as it is among the sources, as `password-worker.js` in a bundle. */
const WORKER = new URL(`./password-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
