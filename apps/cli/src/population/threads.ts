import type { MessagePort, Worker } from 'node:worker_threads';
import type { LinePiece } from '../files/read-lines.ts';
import {
  createLinesEvaluator,
  type EvaluatedLines,
  type EvaluateLines,
  type ModelEvaluation,
} from './evaluate-lines.ts';

/** Starts a thread that runs `serveThread` with this data. */
export type StartThread = (data: ModelEvaluation) => Worker;

/** The threads that a machine has. */
export interface EvaluationThreads {
  readonly count: number;
  readonly start: StartThread;
}

/** Threads that evaluate lines of a model, each the next piece in its turn. */
export interface Threads {
  evaluate(...piece: Parameters<EvaluateLines>): Promise<EvaluatedLines>;
  end(): Promise<void>;
}

/** Starts threads. Their faults reject what they had to evaluate. */
export function startThreads(count: number, start: StartThread, evaluation: ModelEvaluation): Threads {
  const threads = Array.from({ length: count }, () => openThread(start(evaluation)));
  let next = 0;
  return {
    evaluate: (piece) => {
      const thread = threads[next++ % count];
      if (thread === undefined) throw new Error('There are no threads.');
      return thread.evaluate(piece);
    },
    end: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function openThread(worker: Worker) {
  const waiting: PromiseWithResolvers<EvaluatedLines>[] = [];
  worker.on('message', (lines: EvaluatedLines) => waiting.shift()?.resolve(lines));
  worker.on('error', (error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  return {
    worker,
    evaluate: ({ content, first }: Pick<LinePiece, 'content' | 'first'>): Promise<EvaluatedLines> => {
      const answer = Promise.withResolvers<EvaluatedLines>();
      // It is awaited in the order of the pieces, perhaps after it has failed.
      answer.promise.catch(() => {});
      waiting.push(answer);
      worker.postMessage({ content, first });
      return answer.promise;
    },
  };
}

/** Evaluates what is sent to a thread. */
export function serveThread(port: MessagePort, evaluation: ModelEvaluation): void {
  const evaluate = createLinesEvaluator(evaluation);
  port.on('message', ({ content, first }: { readonly content: Uint8Array<ArrayBuffer>; readonly first: number }) => {
    const { buffer, byteOffset, byteLength } = content;
    port.postMessage(evaluate({ content: Buffer.from(buffer, byteOffset, byteLength), first }));
  });
}
