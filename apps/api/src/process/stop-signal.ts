import { once } from 'node:events';
/** Aborted when the process is told to end. The process exits `graceMs` later at the latest. */
export function stopSignal(graceMs: number): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
  // A write that takes longer is abandoned; the storage rolls it back.
  stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), graceMs).unref());
  return stopping.signal;
}

/** Resolves when the process is to stop. */
export const untilStopped = async (stopping: AbortSignal): Promise<void> => {
  if (!stopping.aborted) await once(stopping, 'abort');
};
