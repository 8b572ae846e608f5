import { setTimeout as delay } from 'node:timers/promises';

const WAIT_MS_MAX = 600_000;

/** Asks every `everyMs` until it holds. Throws after ten minutes. */
export async function waitUntil(holds: () => Promise<boolean>, everyMs: number): Promise<void> {
  const endMs = performance.now() + WAIT_MS_MAX;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error('The service does not get there.');
    await delay(everyMs);
  }
}
