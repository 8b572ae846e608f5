import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BystanderFigures } from './figures.ts';
import type { BystanderData } from './flows.ts';

/** A well-behaved tenant in a thread of its own. Disposing of it ends it. */
export interface Bystander extends AsyncDisposable {
  /** The figures since the last question. */
  ask(): Promise<BystanderFigures>;
}

export function startBystander(data: BystanderData): Bystander {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: data });
  return {
    async ask() {
      worker.postMessage('figures');
      const [figures] = await once(worker, 'message');
      return figures;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
