import { TimeoutError } from '../errors.ts';
import type { Runtime } from './runtime.ts';

/** Ends an attempt, or several: with a `TimeoutError` when the time is up, or with the reason of the caller's signal. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The time starts anew. */
  restart(): void;
  /** The time stands still: the caller is busy, not the service. */
  pause(): void;
  /** Must be called in the end, or the timer and the listener on the caller's signal stay behind. */
  close(): void;
}

/** Starts the time. `subject` is what the error names. */
export function openDeadline(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  subject: string,
  { after }: Pick<Runtime, 'after'>,
): Deadline {
  const controller = new AbortController();
  const expire = () => controller.abort(new TimeoutError(`${subject}: not done within ${timeoutMs} ms`, timeoutMs));
  const onAbort = () => controller.abort(signal?.reason);
  let callOff = after(timeoutMs, expire);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    restart() {
      callOff();
      callOff = after(timeoutMs, expire);
    },
    pause: () => callOff(),
    close() {
      callOff();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
