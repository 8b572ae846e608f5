import { auditContextOf } from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import { afterEach, expect, test } from 'vitest';
import { type DrivenLoop, driveLoop, START_MS, type TestClock } from './drive-loop.ts';
import { NOW, newReport } from './report-world.ts';
import { type NewStore, openSampleStore } from './sample-store.ts';

let loop: DrivenLoop | null = null;

afterEach(async () => {
  loop?.stop();
  await loop?.ended;
});

async function beginRemoval({ tenantRemovals }: Store): Promise<void> {
  const caller = { tenant: 'default', clientId: 'c', scopes: new Set<string>(), identityId: null, capabilities: [] };
  const auditContext = auditContextOf(caller, { operation: 'test', time: NOW, trackingId: '0'.repeat(32) });
  expect(await tenantRemovals.begin(auditContext, 'acme', async () => 'signature')).toMatchObject({ ok: true });
}

/** What the worker logs of a job whose tenant is removed once the job has been claimed. */
async function logOf(
  { store }: NewStore,
  overridesOf: (remove: () => Promise<void>) => Parameters<typeof driveLoop>[2],
): Promise<readonly string[]> {
  let removal: Promise<void> | null = null;
  const remove = () => {
    removal ??= beginRemoval(store);
    return removal;
  };
  const clock: TestClock = { nowMs: START_MS };
  loop = driveLoop(store, clock, overridesOf(remove));
  await loop.idle();
  expect(removal).not.toBeNull();
  return loop.logged;
}

const isTrouble = (line: string) => JSON.parse(line).level >= 40;

test('a report of a tenant that is being removed is lost, and no failure', async () => {
  await using sample = await openSampleStore();
  const { reports } = sample.store;
  await reports.enqueue(newReport('scan'), 10);
  const logged = await logOf(sample, (remove) => ({
    reports: {
      ...reports,
      claim: async (request) => {
        const claim = await reports.claim(request);
        await remove();
        return claim;
      },
    },
  }));
  expect(logged.filter(isTrouble)).toEqual([]);
  expect(logged.join('')).toMatch(/"outcome":"lost","msg":"report"/);
});

test('so is a round of its register', async () => {
  await using sample = await openSampleStore();
  const { register } = sample.store;
  const logged = await logOf(sample, (remove) => ({
    register: {
      ...register,
      claim: async (request) => {
        const claim = await register.claim(request);
        await remove();
        return claim;
      },
    },
  }));
  expect(logged.filter(isTrouble)).toEqual([]);
  expect(logged.join('')).toMatch(/"outcome":"lost","msg":"round"/);
});
