import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '@access-admin/store';
import { TENANT } from '../world/seed-population.ts';

// Each look takes processor time from the round. An interval of 50 ms adds at most 2 % to a round of 3 s.
const LOOK_EVERY_MS = 50;
const WAIT_MAX_MS = 600_000;

/** Resolves when the register has the data of now; rejects when it does not have them after ten minutes. */
export async function waitForRegister({ violations }: Store): Promise<void> {
  const wanted = new Date().toISOString();
  for (const start = performance.now(); performance.now() - start < WAIT_MAX_MS; await sleep(LOOK_EVERY_MS)) {
    const { asOf } = await violations.readView(TENANT, new Date().toISOString());
    if (asOf !== null && asOf >= wanted) return;
  }
  throw new Error(`The register does not have the present data after ${WAIT_MAX_MS / 1000} s.`);
}
