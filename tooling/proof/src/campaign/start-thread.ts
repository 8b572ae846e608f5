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
  return {
    async ask() {
      worker.postMessage('figures');
      const [figures] = await once(worker, 'message');
      return figures;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
