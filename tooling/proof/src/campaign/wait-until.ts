import { setTimeout as delay } from 'node:timers/promises';

interface Limits {
  readonly msMax: number;
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
}

/** Polls until a condition holds; resolves with whether it was seen to hold in time. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  { msMax, everyMs = 10, signal }: Limits,
): Promise<boolean> {
  const endMs = performance.now() + msMax;
  for (;;) {
    const isHolding = await holds();
    if (performance.now() > endMs) return false;
    if (isHolding) return true;
    await delay(everyMs, undefined, { signal });
  }
}
