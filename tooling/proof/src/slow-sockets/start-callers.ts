import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CallerFigures, CallersData } from './caller-thread.ts';

/** Well-behaved callers in a thread of their own. Disposing of them ends them. */
export interface Callers extends AsyncDisposable {
  /** The figures since the last question. */
  ask(): Promise<CallerFigures>;
}

export function startCallers(data: CallersData): Callers {
  const worker = new Worker(new URL('./caller-thread.ts', import.meta.url), { workerData: data });
  return {
    async ask() {
      worker.postMessage('figures');
      const [figures] = await once(worker, 'message');
      return figures;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
