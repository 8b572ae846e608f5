import { ok } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { ClaimedWebhook, DeliveryCondition, DeliveryOutcome, Store } from '../../src/index.ts';
import { claimSoon } from '../claim-soon.ts';
import { actIn, NOW } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const PLACE = { tenant: 'acme', webhookId: 'w-1' };
const WEBHOOK = {
  id: 'w-1',
  name: 'w',
  url: 'https://a.example/',
  types: ['*'],
  format: 'cloudevents',
  enabled: true,
  created: NOW,
  modified: NOW,
  rights: { client: null, scopes: ['ui-metadata:read'], identityId: null },
} as const;

const create = ({ webhooks }: Store, id = 'w-1') =>
  webhooks.create(actIn('acme'), { webhook: { ...WEBHOOK, id }, secret: `v1.k1.${id}` }, ok);

const tell = ({ uiMetadata }: Store, label: string) =>
  uiMetadata.change(actIn('acme'), { decide: (before) => ok({ ...before, usernameLabel: label }) });

async function claim({ webhooks }: Store, nowMs = NOW_MS): Promise<ClaimedWebhook> {
  const [claimed] = await claimSoon(() => webhooks.claim({ nowMs, leaseMs: 4_000, limit: 1 }));
  if (claimed === undefined) throw new Error('no webhook can be claimed');
  return claimed;
}

const outcome = (id: string, fields: Partial<DeliveryOutcome> = {}): DeliveryOutcome => ({
  id,
  eventId: `e-${id}`,
  sequence: 1,
  type: 'ui-metadata.changed',
  created: NOW,
  failures: 0,
  attempts: [],
  body: null,
  state: 'SUCCEEDED',
  nextMs: null,
  ...fields,
});

const settlement = (cursor: number, outcomes: readonly DeliveryOutcome[] = []) => ({
  outcomes,
  cursor,
  failingSinceMs: null,
  failures: 0,
  disabled: null,
  releasedAtMs: NOW_MS,
});

const idsOf = async (store: Store, field: 'state' | 'type', ...values: readonly string[]) => {
  const conditions: readonly DeliveryCondition[] = [{ field, operator: 'in', values }];
  const found = await store.webhooks.listDeliveries(PLACE, conditions, { limit: 250, offset: 0 });
  expect(await store.webhooks.countDeliveries(PLACE, conditions)).toBe(found.length);
  return found.map(({ id }) => id);
};

export function describeWebhooks(engine: StoreEngine): void {
  describe('webhooks', () => {
    test('only the latest claim stores outcomes, and a released webhook can be claimed at once', async () => {
      await using database = await openDatabase(engine);
      const store = database.store;
      const other = await database.openAnother();
      await create(store);
      await tell(store, 'a');
      const lost = await claim(store);
      expect(await other.webhooks.claim({ nowMs: NOW_MS, leaseMs: 4_000, limit: 1 })).toEqual([]);
      const held = await claim(other, NOW_MS + 4_001);
      expect(await store.webhooks.renew([lost], NOW_MS + 9_000)).toEqual([]);
      expect(await store.webhooks.settle(lost, settlement(1, [outcome('d-lost')]))).toBe(false);
      expect(await store.webhooks.listDeliveries(PLACE, [], { limit: 1, offset: 0 })).toEqual([]);
      expect(held.cursor).toBe(0);
      expect(await other.webhooks.settle(held, settlement(0))).toBe(true);
      expect(await other.webhooks.renew([held], NOW_MS + 9_000)).toEqual([]);
      expect((await claim(store)).fence).toBe(held.fence + 2);
    });

    test('what is stored in between keeps the claim, and a lease that was renewed meanwhile', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await create(store);
      await tell(store, 'a');
      const held = await claim(store);
      expect(await store.webhooks.renew([held], NOW_MS + 6_000)).toEqual([held]);
      expect(await store.webhooks.settle(held, { ...settlement(0), releasedAtMs: null })).toBe(true);
      expect(await store.webhooks.claim({ nowMs: NOW_MS + 5_000, leaseMs: 4_000, limit: 1 })).toEqual([]);
      expect(await store.webhooks.settle(held, settlement(0))).toBe(true);
    });

    test('deliveries are filtered by state and type, and removed when they are old or their webhook is deleted', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      for (const id of ['w-1', 'w-2']) await create(store, id);
      await tell(store, 'a');
      const outcomes = [
        outcome('1'),
        outcome('2', { state: 'PENDING', nextMs: NOW_MS + 5_000 }),
        outcome('3', { state: 'FAILED', type: 'webhook.test' }),
        outcome('4'),
      ];
      expect(await store.webhooks.settle(await claim(store), settlement(1, outcomes))).toBe(true);
      expect(await idsOf(store, 'state', 'SUCCEEDED')).toEqual(['4', '1']);
      expect(await idsOf(store, 'state', 'PENDING', 'FAILED')).toEqual(['3', '2']);
      expect(await idsOf(store, 'type', 'webhook.test')).toEqual(['3']);
      while (await store.webhooks.removeDeliveries('3'));
      expect(await idsOf(store, 'state', 'SUCCEEDED', 'PENDING', 'FAILED')).toEqual(['4', '3']);
      await store.webhooks.delete(actIn('acme'), 'w-1');
      while (await store.webhooks.removeDeliveries('0'));
      expect(await store.webhooks.countDeliveries(PLACE, [])).toBe(0);
      expect((await store.webhooks.list('acme', { limit: 9, offset: 0 })).map(({ id }) => id)).toEqual(['w-2']);
    });

    test('a delivery is stored again with its next attempt, and a claim tells since when and how often attempts fail', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await create(store);
      await tell(store, 'a');
      const first = await claim(store);
      expect([first.failingSinceMs, first.failures]).toEqual([null, 0]);
      const failing = { failingSinceMs: NOW_MS, failures: 2 };
      const pending = outcome('1', { state: 'PENDING', failures: 1, nextMs: NOW_MS });
      await store.webhooks.settle(first, { ...settlement(0, [pending]), ...failing });
      const again = await claim(store);
      expect(again).toMatchObject(failing);
      const request = { nowMs: NOW_MS, limit: 9 };
      expect(await store.webhooks.findDue(again, request)).toMatchObject([{ id: '1', failures: 1 }]);
      await store.webhooks.settle(again, settlement(1, [outcome('1', { failures: 1 }), outcome('2')]));
      expect(await store.webhooks.findDue(again, request)).toEqual([]);
      expect(await idsOf(store, 'state', 'SUCCEEDED')).toEqual(['2', '1']);
      expect(await store.webhooks.claim({ nowMs: NOW_MS, leaseMs: 4_000, limit: 1 })).toEqual([]);
    });

    test('a webhook that is disabled is due for tests only, also when it is released later', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await create(store);
      await tell(store, 'a');
      const held = await claim(store);
      const pending = outcome('1', { state: 'PENDING', failures: 1, nextMs: NOW_MS });
      const disabled = { time: NOW, reason: 'r' };
      await store.webhooks.settle(held, { ...settlement(1, [pending]), disabled, releasedAtMs: null });
      await store.webhooks.settle(held, settlement(1));
      expect(await store.webhooks.claim({ nowMs: NOW_MS, leaseMs: 4_000, limit: 1 })).toEqual([]);
      await store.webhooks.test(actIn('acme'), { ...PLACE, id: '2', eventId: 'e', created: NOW, data: '{}' }, NOW_MS);
      expect(await store.webhooks.findDue(await claim(store), { nowMs: NOW_MS, limit: 9 })).toMatchObject([
        { id: '2' },
      ]);
    });

    test('a replay takes the webhook from its worker and moves its cursor back, never forward', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await create(store);
      for (const label of ['a', 'b', 'c']) await tell(store, label);
      expect(await store.webhooks.settle(await claim(store), settlement(2))).toBe(true);
      const held = await claim(store);
      for (const [after, answer] of [
        [3, 'ok'],
        [4, 'gone'],
        [1, 'ok'],
      ] as const)
        expect([after, await store.webhooks.replay(actIn('acme'), PLACE, after)]).toEqual([after, answer]);
      expect(await store.webhooks.replay(actIn('acme'), { ...PLACE, webhookId: 'none' }, 1)).toBe('notFound');
      expect(await store.webhooks.settle(held, settlement(3))).toBe(false);
      expect((await claim(store)).cursor).toBe(1);
    });

    test('the secret before a rotation signs until its time, and both are sealed again with a new key', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await create(store);
      await tell(store, 'a');
      const rotation = { secret: 'v1.k1.new', modified: NOW, previousUntilMs: NOW_MS + 60_000 };
      expect(await store.webhooks.rotateSecret(actIn('acme'), 'w-1', rotation)).toMatchObject({ ok: true });
      expect((await claim(store)).secrets).toEqual(['v1.k1.new', 'v1.k1.w-1']);
      expect(await store.webhooks.reseal('k2', (_, sealed) => sealed.replace('k1', 'k2'))).toEqual({
        sealed: 1,
        failed: 0,
      });
      expect((await claim(store, NOW_MS + 59_000)).secrets).toEqual(['v1.k2.new', 'v1.k2.w-1']);
      expect((await claim(store, NOW_MS + 70_000)).secrets).toEqual(['v1.k2.new']);
      const seen: string[] = [];
      await store.webhooks.reseal('k2', (_, sealed) => `${seen.push(sealed)}`);
      expect(seen).toEqual([]);
      expect(await store.webhooks.reseal('k3', () => null)).toEqual({ sealed: 0, failed: 1 });
    });
  });
}
