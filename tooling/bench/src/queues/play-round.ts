import { deepStrictEqual } from 'node:assert/strict';
import type { DurableQueue, Job } from './durable-queue.ts';

export const CALLERS = 64;
export const JOBS = 3_200;

/** Throws unless every job was done exactly once. */
export async function playRound(
  queue: DurableQueue,
): Promise<{ readonly enqueueMs: number; readonly drainMs: number }> {
  const jobs = Array.from({ length: JOBS }, (_, number) => jobOf(number));
  const timesDone = new Uint8Array(JOBS);
  const start = performance.now();
  let next = 0;
  const call = async () => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await queue.enqueue(job);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  const enqueued = performance.now();
  await queue.drain((number) => {
    timesDone[number] = (timesDone[number] ?? 0) + 1;
  });
  const drained = performance.now();
  deepStrictEqual(timesDone, new Uint8Array(JOBS).fill(1), `${queue.name}: every job is done once`);
  return { enqueueMs: enqueued - start, drainMs: drained - enqueued };
}

const jobOf = (number: number): Job => ({
  number,
  requestId: crypto.randomUUID(),
  identityId: `identity-${number}`,
  accessRefs: [1, 2, 3].map((step) => ({ type: 'ENTITLEMENT', id: `entitlement-${number * step}` })),
});
