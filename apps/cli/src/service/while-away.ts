import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, ConnectionError, TimeoutError, TokenError } from '@access-admin/client';
import { line } from '../output/escape.ts';
import type { Output } from '../output/output.ts';

/** How long a service that is away is waited for. */
const AWAY_MS = 120_000;

/** Repeats an action, which must be harmless when it is repeated, while the service is away or busy: for two minutes. */
export async function whileAway<T>(
  action: () => Promise<T>,
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
): Promise<T> {
  for (let waitedMs = 0, pauseMs = 1000; ; pauseMs = Math.min(pauseMs * 2, 15_000)) {
    try {
      return await action();
    } catch (error) {
      if (!mayPass(error) || waitedMs >= AWAY_MS || signal.aborted) throw error;
      output.note(line`${error instanceof Error ? error.message : String(error)}: repeated in ${pauseMs / 1000} s`);
      await delay(pauseMs, undefined, { signal });
      waitedMs += pauseMs;
    }
  }
}

function mayPass(error: unknown): boolean {
  const cause = error instanceof TokenError ? error.cause : error;
  if (cause instanceof ConnectionError || cause instanceof TimeoutError) return true;
  return cause instanceof ApiError && (cause.status >= 500 || cause.status === 429 || cause.status === 408);
}
