import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Well-behaved callers in a thread of their own. Disposing of it ends it. */
export interface CallersThread<Figures> extends AsyncDisposable {
  /** The figures since the last question. */
  ask(): Promise<Figures>;
}

/** Starts a thread that answers each message with its figures. */
export function startThread<Figures>(file: URL, data: object): CallersThread<Figures> {
  const worker = new Worker(file, { workerData: data });
  // A thread that ended between two questions would never answer the next one.
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {});
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the thread ended with code ${code}`)));
  return {
    async ask() {
      worker.postMessage('figures');
      const [figures] = await Promise.race([once(worker, 'message'), ended]);
      return figures;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
