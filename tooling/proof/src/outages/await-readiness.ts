import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@access-admin/client';
import type { ApiSlot } from '../service/open-fleet.ts';

const POLL_MS = 20;

/** Polls every API until it has the expected readiness; returns the names of late ones. */
export async function awaitReadiness(
  apis: readonly Pick<ApiSlot, 'name' | 'baseAddress'>[],
  wanted: boolean,
  msMax: number,
): Promise<readonly string[]> {
  const endMs = performance.now() + msMax;
  const late = await Promise.all(
    apis.map(async ({ name, baseAddress }) => {
      const { health } = createClient({ baseAddress, token: 'none' });
      for (;;) {
        const isReady = await health.ready({ timeoutMs: msMax });
        if (performance.now() > endMs) return [name];
        if (isReady === wanted) return [];
        await delay(POLL_MS);
      }
    }),
  );
  return late.flat();
}
