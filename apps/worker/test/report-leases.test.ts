import { createScheduler } from '@access-admin/scheduling';
import { createSodReader, StorageUnavailable } from '@access-admin/store';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTrials } from '../src/checks/trials.ts';
import { createMeter } from '../src/leased/meter.ts';
import { createPopulations } from '../src/reports/population.ts';
import { createReportWork } from '../src/reports/work.ts';
import { LEASE_MS, START_MS } from './drive-loop.ts';
import { newReport } from './report-world.ts';
import { openSampleStore } from './sample-store.ts';

test('before a check is tried alone, the leases of reports are renewed but for those of a tenant whose node is away', async () => {
  await using sample = await openSampleStore();
  const { store } = sample;
  for (const tenant of ['acme', 'globex', 'initech']) await store.reports.enqueue(newReport('scan', { tenant }), 10);
  const renewed: string[] = [];
  const busyMs = () => 0;
  const work = createReportWork({
    reports: {
      ...store.reports,
      renew: async (key, progress) => {
        if (key.tenant === 'globex') throw new StorageUnavailable('The node of the tenant is away.');
        if (await store.reports.renew(key, progress)) renewed.push(key.tenant);
        return true;
      },
    },
    reader: createSodReader(store.sod),
    populations: createPopulations({ bytesMax: 1e9, shardSize: 7 }),
    leaseMs: LEASE_MS,
    now: () => START_MS,
    wait: async () => {},
    trials: createTrials(),
    meter: createMeter(busyMs),
    yieldIfDue: createScheduler({ elapsed: busyMs, dueAfterMs: 5 }).yieldIfDue,
    log: pino({ enabled: false }),
    onJobEnd: () => {},
  });
  expect(await work.claim()).toHaveLength(3);
  await work.renewAll();
  expect(renewed.toSorted()).toEqual(['acme', 'initech']);
});
