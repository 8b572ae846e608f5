import { ok } from '@access-admin/domain';
import { vi } from 'vitest';
import type { ClaimedWebhook, DeliveryOutcome, Store } from '../src/index.ts';
import { actIn, NOW } from './model-records.ts';

const PAGE = { limit: 10, offset: 0 };
const PLACE = { tenant: 'acme', webhookId: 'w-1' };
const CHECK = { salt: 's', checkValue: 'c', created: NOW };
const NOW_MS = Date.parse(NOW);

export const webhookRecord = (id: string) => ({
  id,
  name: id,
  url: 'https://example.com/',
  types: ['*'],
  format: 'cloudevents' as const,
  enabled: true,
  created: NOW,
  modified: NOW,
  rights: { client: null, scopes: ['sod-policies:read', 'webhooks:manage'], identityId: null },
});

const test = (id: string) => ({ ...PLACE, id, eventId: id, created: NOW, data: '{}' });

let claimCount = 0;

/** On Citus, a lease that has ended is found by the look once a second. */
async function claimed(store: Store): Promise<ClaimedWebhook> {
  await store.webhooks.replay(actIn('acme'), PLACE, 0);
  return await vi.waitUntil(
    async () => {
      claimCount += 1;
      const claims = await store.webhooks.claim({ nowMs: NOW_MS + claimCount * 60_000, leaseMs: 1_000, limit: 9 });
      return claims.find(({ webhookId }) => webhookId === PLACE.webhookId);
    },
    { timeout: 10_000 },
  );
}

const outcome = (id: string): DeliveryOutcome => ({
  id,
  eventId: id,
  sequence: 1,
  type: 'sod.policy.created',
  created: NOW,
  failures: 1,
  attempts: [],
  body: null,
  state: 'PENDING',
  nextMs: NOW_MS,
});

/** A call of each method of the store about webhooks and the key of secrets. */
export const WEBHOOK_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'secretKeys.readCheck': ({ secretKeys }) => secretKeys.readCheck(),
  'secretKeys.createCheck': ({ secretKeys }) => secretKeys.createCheck(CHECK),
  'secretKeys.replaceCheck': ({ secretKeys }) => secretKeys.replaceCheck(CHECK, { ...CHECK, checkValue: 'd' }),
  'webhooks.create': async ({ webhooks }) => {
    for (const id of ['w-1', 'w-2'])
      await webhooks.create(actIn('acme'), { webhook: webhookRecord(id), secret: 'v1.k.s' }, ok);
  },
  'webhooks.find': ({ webhooks }) => webhooks.find('acme', 'w-1'),
  'webhooks.list': ({ webhooks }) => webhooks.list('acme', PAGE),
  'webhooks.count': ({ webhooks }) => webhooks.count('acme'),
  'webhooks.change': ({ webhooks }) =>
    webhooks.change(actIn('acme'), 'w-1', { decide: (before) => ok({ ...before, name: 'changed' }) }),
  'webhooks.rotateSecret': ({ webhooks }) =>
    webhooks.rotateSecret(actIn('acme'), 'w-1', { secret: 'v1.k.t', modified: NOW, previousUntilMs: NOW_MS }),
  'webhooks.reseal': ({ webhooks }) => webhooks.reseal('l', () => 'v1.l.s'),
  'webhooks.test': ({ webhooks }) => webhooks.test(actIn('acme'), test('d-1'), NOW_MS),
  'webhooks.listDeliveries': ({ webhooks }) =>
    webhooks.listDeliveries(
      PLACE,
      [
        { field: 'state', operator: 'in', values: ['PENDING'] },
        { field: 'type', operator: 'in', values: ['x'] },
      ],
      PAGE,
    ),
  'webhooks.countDeliveries': ({ webhooks }) => webhooks.countDeliveries(PLACE, []),
  'webhooks.resend': ({ webhooks }) => webhooks.resend(actIn('acme'), PLACE, { id: 'd-1', nowMs: NOW_MS }),
  'webhooks.replay': ({ webhooks }) => webhooks.replay(actIn('acme'), PLACE, 0),
  'webhooks.claim': claimed,
  'webhooks.renew': async (store) => store.webhooks.renew([await claimed(store)], NOW_MS),
  'webhooks.readPresentRights': ({ webhooks }) => webhooks.readPresentRights(PLACE),
  'webhooks.findDue': async (store) => {
    const claim = await claimed(store);
    await store.webhooks.findDue({ ...claim, enabled: false }, { nowMs: NOW_MS, limit: 10 });
    return store.webhooks.findDue(claim, { nowMs: NOW_MS, limit: 10 });
  },
  'webhooks.settle': async (store) => {
    const state = { cursor: 1, failingSinceMs: NOW_MS, failures: 1, releasedAtMs: null };
    const claim = await claimed(store);
    await store.webhooks.settle(claim, { ...state, outcomes: [outcome('d-2')], disabled: null });
    return store.webhooks.settle(claim, {
      ...state,
      outcomes: [outcome('d-2')],
      disabled: { time: NOW, reason: 'r' },
    });
  },
  'webhooks.delete': ({ webhooks }) => webhooks.delete(actIn('acme'), 'w-1'),
  'webhooks.measureBacklog': ({ webhooks }) => webhooks.measureBacklog(),
  'webhooks.removeDeliveries': async ({ webhooks }) => {
    await webhooks.removeDeliveries('d-9');
    return webhooks.removeDeliveries('d-9');
  },
};
