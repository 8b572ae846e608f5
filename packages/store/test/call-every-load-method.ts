import type { LoadPart } from '@access-admin/domain';
import type { LoadClaim, Store } from '../src/index.ts';
import { actIn, holds, NOW } from './model-records.ts';

const LOAD = { source: 'of-loads', loadId: 'l' };
const PART: LoadPart & { readonly part: number } = {
  part: 1,
  records: [
    { line: 1, record: { kind: 'entitlement', id: 'e-load', name: 'E', source: null } },
    {
      line: 2,
      record: {
        kind: 'account',
        id: 'a',
        name: 'a',
        displayName: null,
        email: null,
        disabled: false,
        access: holds('ENTITLEMENT', 'e-load'),
      },
    },
  ],
  faults: [],
  faultCount: 0,
};

async function claim({ loads }: Store): Promise<LoadClaim> {
  const [claimed] = await loads.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 });
  if (claimed === undefined) throw new Error('there is nothing to claim');
  return claimed;
}

/** A call of each method of loads that reaches all its statements, in this order. */
export const LOAD_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'loads.create': async ({ sources, loads }) => {
    const { source: id } = LOAD;
    const fields = { description: null, identityProfileId: null, correlation: [], groups: 'ROLE' } as const;
    const created = { ...fields, id, name: id, created: NOW, modified: NOW, lastLoad: null };
    await sources.create(actIn('acme'), {
      ...created,
      authoritative: false,
      ignoreDisabled: true,
      deleteThresholdPercent: 10,
    });
    for (const loadId of ['other', 'l']) {
      await loads.create(actIn('acme'), { source: id, loadId, mode: 'FULL', dryRun: false });
      if (loadId === 'other') await loads.cancel(actIn('acme'), { source: id, loadId });
    }
  },
  'loads.cancel': ({ loads }) => loads.cancel(actIn('acme'), { ...LOAD, loadId: 'none' }),
  'loads.putPart': ({ loads }) => loads.putPart(actIn('acme'), { ...LOAD, ...PART }),
  'loads.commit': ({ loads }) => loads.commit(actIn('acme'), { ...LOAD, confirmed: null }),
  'loads.find': ({ loads }) => loads.find('acme', LOAD),
  'loads.list': ({ loads }) => loads.list('acme', LOAD.source, { limit: 10, offset: 0 }),
  'loads.count': ({ loads }) => loads.count('acme', LOAD.source),
  'loads.claim': async (store) => store.loads.release(await claim(store), { availableAtMs: 0, isAttempt: false }),
  'loads.renew': async (store) => {
    const claimed = await claim(store);
    await store.loads.renew([claimed], 1_000);
    await store.loads.release(claimed, { availableAtMs: 0, isAttempt: false });
  },
  'loads.release': async (store) => store.loads.release(await claim(store), { availableAtMs: 0, isAttempt: true }),
  'loads.advance': async (store) => {
    const claimed = await claim(store);
    while ((await store.loads.advance(claimed, { now: NOW, pause: () => {} })) === 'more');
  },
  'loads.fail': async (store) => {
    await store.loads.create(actIn('acme'), { ...LOAD, loadId: 'failing', mode: 'DELTA', dryRun: true });
    await store.loads.commit(actIn('acme'), { ...LOAD, loadId: 'failing', confirmed: null });
    await store.loads.fail(await claim(store), { now: NOW, message: 'failed' });
  },
  'loads.removeExpired': async ({ loads }) => {
    while (await loads.removeExpired(Date.parse(NOW)));
  },
};
