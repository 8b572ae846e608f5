import { createSodReader, type SodReader, type Store } from '@access-admin/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJobLog } from '../src/process/job-log.ts';
import { driveLoop, START_MS } from './drive-loop.ts';
import { newReport } from './report-world.ts';
import { enqueueAll, newCheck, openSampleStore } from './sample-store.ts';

async function openWorld(overrides: (store: Store) => Parameters<typeof driveLoop>[2] = () => ({})) {
  const sample = await openSampleStore();
  const { store } = sample;
  const clock = { nowMs: START_MS };
  return {
    store,
    clock,
    /** Works until there is nothing to do; the lines of jobs. */
    linesOf: async (kind: string) => {
      const loop = driveLoop(store, clock, overrides(store));
      onTestFinished(async () => {
        loop.stop();
        await loop.ended;
        await sample[Symbol.asyncDispose]();
      });
      await loop.idle();
      return loop.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === kind);
    },
  };
}

const LINE = { level: 20, tenant: 'acme', msg: 'check', attempt: 1, outcome: 'success', workedMs: expect.any(Number) };

describe('a line for each job', () => {
  test('of a check, with its ids and times', async () => {
    const { store, linesOf } = await openWorld();
    const created = new Date(START_MS - 1_500).toISOString();
    await enqueueAll(store, [newCheck('r-1', { created }), newCheck('r-2', { created, tenant: 'other' })]);
    const lines = await linesOf('check');
    expect(lines).toHaveLength(2);
    expect(lines.find(({ requestId }) => requestId === 'r-1')).toMatchObject({
      ...LINE,
      requestId: 'r-1',
      identityId: 'i-1',
      waitedMs: 1_500,
    });
  });

  test('of a check that fails, at info', async () => {
    const failing = (store: Store): SodReader => {
      const reader = createSodReader(store.sod);
      let isBroken = true;
      return {
        read: (tenant, identityId) => {
          if (!isBroken) return reader.read(tenant, identityId);
          isBroken = false;
          throw new Error('broken');
        },
      };
    };
    const { store, linesOf } = await openWorld((opened) => ({ reader: failing(opened) }));
    await enqueueAll(store, [newCheck('r-1')]);
    const [line] = await linesOf('check');
    expect(line).toMatchObject({ ...LINE, level: 30, requestId: 'r-1', outcome: 'retry' });
  });

  test('of a report', async () => {
    const { store, linesOf } = await openWorld();
    const created = new Date(START_MS - 700).toISOString();
    await store.reports.enqueue({ ...newReport('scan'), created }, 10);
    expect(await linesOf('report')).toMatchObject([{ ...LINE, msg: 'report', reportId: 'scan', waitedMs: 700 }]);
  });

  test('of a round of the register', async () => {
    const { linesOf } = await openWorld((store) => ({ register: store.register }));
    const [line] = await linesOf('round');
    // The clock of the worker is that of the test, and behind the one of the database.
    expect(line).toMatchObject({ ...LINE, msg: 'round', waitedMs: 0, changed: expect.any(Number) });
  });
});

test('a job is told at info from 100 ms on, or where it did not succeed', () => {
  const told: string[] = [];
  const write = createJobLog({
    debug: (_fields: object, message?: string) => void told.push(`debug ${message}`),
    info: (fields: object, message?: string) => void told.push(`info ${message} ${JSON.stringify(fields)}`),
  });
  const job = {
    kind: 'report',
    tenant: 't',
    ids: { reportId: 'p' },
    startedMs: 0,
    waitedMs: null,
    attempt: 2,
    traceparent: null,
  } as const;
  write({ ...job, workedMs: 99.9, outcome: 'success' });
  write({ ...job, workedMs: 1, outcome: 'lost' });
  write({ ...job, workedMs: 100.00049, outcome: 'success' });
  write({ ...job, workedMs: 1, outcome: 'error' });
  const line = { tenant: 't', reportId: 'p', waitedMs: null, workedMs: 100, attempt: 2, outcome: 'success' };
  expect(told).toEqual([
    'debug report',
    'debug report',
    `info report ${JSON.stringify(line)}`,
    `info report ${JSON.stringify({ ...line, workedMs: 1, outcome: 'error' })}`,
  ]);
});
