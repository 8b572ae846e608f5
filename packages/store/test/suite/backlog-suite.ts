import { ok } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { actIn, importAll, NOW } from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { newScan } from '../new-report.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOTHING = { depth: 0, oldest: null };
const MANY = 1_000;
const EARLIER = '2026-03-01T11:00:00.000Z';
const ORIGIN = { clientId: 'c-1', trackingId: '0af7651916cd43dd8448eb211c80319c', traceparent: null };
const TRACED = { ...ORIGIN, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

/** What waits for workers, what the database takes, and which request made a piece of work. */
export function describeBacklogs(engine: StoreEngine): void {
  describe('what operators see of the queues', () => {
    test('pending checks are counted with the age of the oldest, claimed or not', async () => {
      await using database = await openDatabase(engine);
      const { checks } = database.store;
      expect(await checks.measureBacklog()).toEqual(NOTHING);
      await checks.enqueue(newCheck('r-1', { created: EARLIER }), MANY);
      await checks.enqueue(newCheck('r-2', { created: NOW }), MANY);
      await checks.enqueue({ ...newCheck('r-3', { created: NOW }), tenant: 'other' }, MANY);
      expect(await checks.measureBacklog()).toEqual({ depth: 3, oldest: EARLIER });
      await checks.claim({ nowMs: Date.parse(NOW), leaseMs: 1_000, limit: 1 });
      expect(await checks.measureBacklog()).toEqual({ depth: 3, oldest: EARLIER });
    });

    test('open reports are counted with the age of the oldest', async () => {
      await using database = await openDatabase(engine);
      const { reports } = database.store;
      expect(await reports.measureBacklog()).toEqual(NOTHING);
      await reports.enqueue(newScan('s-1'), MANY);
      await reports.enqueue(newScan('s-2', { created: EARLIER }), MANY);
      expect(await reports.measureBacklog()).toEqual({ depth: 2, oldest: EARLIER });
    });

    test('a register is behind since the first change that it does not have', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const { register } = store;
      const nowMs = Date.now();
      expect(await register.measureBacklog(nowMs)).toEqual(NOTHING);
      await importAll(store, 'acme', []);
      const first = await register.measureBacklog(nowMs);
      expect(first).toEqual({ depth: 1, oldest: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) });
      // The databases of the tests are on this machine: their clock is ours.
      expect(Math.abs(Date.parse(first.oldest ?? '') - nowMs)).toBeLessThan(60_000);
      await importAll(store, 'acme', []);
      expect(await register.measureBacklog(nowMs)).toEqual(first);
      expect(await register.claim({ nowMs, leaseMs: 1_000, limit: 1 })).toMatchObject([{ since: first.oldest }]);
    });

    test('events that a webhook has not got to are counted, and deliveries to be tried again', async () => {
      await using database = await openDatabase(engine);
      const { webhooks, uiMetadata } = database.store;
      const webhook = {
        id: 'w-1',
        name: 'w',
        url: 'https://a.example/',
        types: ['*'],
        format: 'cloudevents' as const,
        enabled: true,
        created: NOW,
        modified: NOW,
        rights: { client: null, scopes: [], identityId: null },
      };
      await webhooks.create(actIn('acme'), { webhook, secret: 'v1.k1.s' }, ok);
      expect(await webhooks.measureBacklog()).toEqual(NOTHING);
      for (const label of ['one', 'two'])
        await uiMetadata.change(actIn('acme'), { decide: (before) => ok({ ...before, usernameLabel: label }) });
      expect(await webhooks.measureBacklog()).toEqual({ depth: 2, oldest: NOW });
      const nowMs = Date.parse(NOW);
      const [claim] = await webhooks.claim({ nowMs, leaseMs: 4_000, limit: 1 });
      if (claim === undefined) throw new Error('there is no webhook to claim');
      const retried = {
        id: 'd-1',
        eventId: 'e-1',
        sequence: 1,
        type: 'ui-metadata.changed',
        created: EARLIER,
        failures: 1,
        attempts: [],
        body: null,
        state: 'PENDING',
        nextMs: nowMs,
      } as const;
      await webhooks.settle(claim, {
        outcomes: [retried],
        cursor: claim.cursor + 2,
        failingSinceMs: nowMs,
        failures: 1,
        disabled: null,
        releasedAtMs: nowMs,
      });
      expect(await webhooks.measureBacklog()).toEqual({ depth: 1, oldest: EARLIER });
    });

    test('the size of the database is measured', async () => {
      await using database = await openDatabase(engine);
      const { databaseBytes, disk } = await database.store.measureStorage();
      expect(databaseBytes).toBeGreaterThan(100_000);
      if (engine.name === 'postgres') expect(disk).toBeNull();
      else expect(disk?.sizeBytes).toBeGreaterThanOrEqual(disk?.freeBytes ?? Number.POSITIVE_INFINITY);
    });

    test('a claim tells the request that made the work', async () => {
      await using database = await openDatabase(engine);
      const { checks, reports } = database.store;
      await checks.enqueue({ ...newCheck('r-1'), origin: ORIGIN }, MANY);
      await checks.enqueue({ ...newCheck('r-2'), origin: TRACED }, MANY);
      await checks.enqueue(newCheck('r-3'), MANY);
      const nowMs = Date.parse(NOW);
      const claimed = await checks.claim({ nowMs, leaseMs: 1_000, limit: 10 });
      expect(claimed.map(({ requestId, origin }) => [requestId, origin])).toEqual([
        ['r-1', ORIGIN],
        ['r-2', TRACED],
        ['r-3', null],
      ]);
      await reports.enqueue(newScan('s-1', { created: EARLIER, origin: TRACED }), MANY);
      expect(await reports.claim({ nowMs, leaseMs: 1_000 })).toMatchObject({ created: EARLIER, origin: TRACED });
    });
  });
}
