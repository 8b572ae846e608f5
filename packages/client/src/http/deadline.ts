import { TimeoutError } from '../errors.ts';
import type { Runtime } from './runtime.ts';

/** Aborts its signal with a `TimeoutError` after the time limit, or with the reason of the caller's signal. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Restarts the time limit. */
  restart(): void;
  /** Stops the time limit while the caller, not the service, is busy. */
  pause(): void;
  /** Must be called in the end: removes the timer and the listener on the caller's signal. */
  close(): void;
}

/** Starts the time limit. The error names `subject`. */
export function openDeadline(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  subject: string,
  { after }: Pick<Runtime, 'after'>,
): Deadline {
  const controller = new AbortController();
  const expire = () => controller.abort(new TimeoutError(`${subject}: not done within ${timeoutMs} ms`, timeoutMs));
  const onAbort = () => controller.abort(signal?.reason);
  let cancel = after(timeoutMs, expire);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    restart() {
      cancel();
      cancel = after(timeoutMs, expire);
    },
    pause: () => cancel(),
    close() {
      cancel();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
