import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CallersData, Sight } from './callers.ts';

/** Well-behaved callers in a thread of their own. Disposing of them ends them. */
export interface Callers extends AsyncDisposable {
  /** What they have seen since the last time. */
  look(): Promise<Sight>;
}

export function startCallers(data: CallersData): Callers {
  const worker = new Worker(new URL('./callers.ts', import.meta.url), { workerData: data });
  return {
    async look() {
      worker.postMessage('look');
      const [sight] = await once(worker, 'message');
      return sight as Sight;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
