import { completeSource, ok, SOURCE_DEFAULTS, type Source } from '@access-admin/domain';
import type { Store } from '../src/index.ts';
import { actIn, deletion, entitlement, holds, identity, importAll, NOW } from './model-records.ts';
import { account, source } from './suite/source-suite.ts';

const PAGE = { limit: 10, offset: 1 };
const NEW: Source = completeSource({ id: 's-new', name: 'New', ...SOURCE_DEFAULTS }, null, NOW);

async function keyOf({ sources }: Store, id: string): Promise<string> {
  const found = (await sources.listAccounts('acme', [], { limit: 250, offset: 0 })).find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no account ${id}`);
  return found.key;
}

/** A call of each method of sources that reaches all its statements for few records, in this order. */
export const SOURCE_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'sources.create': ({ sources }) => sources.create(actIn('acme'), NEW),
  'sources.list': ({ sources }) => sources.list('acme', [{ field: 'name', operator: 'sw', values: ['N'] }], PAGE),
  'sources.count': ({ sources }) => sources.count('acme', [{ field: 'id', operator: 'in', values: ['s-new'] }]),
  'sources.find': ({ sources }) => sources.find('acme', 's-new'),
  'sources.listAccounts': async (store) => {
    const email = 'same@example.com';
    const access = holds('ENTITLEMENT', 'e-source');
    await importAll(store, 'acme', [
      entitlement('e-source'),
      source('s-hr', { authoritative: true }),
      identity('i-s1', { email }),
      identity('i-s2', { email }),
      account('s-new', 'by-rule', { name: 'i-s1-uid', access }),
      account('s-new', 'ambiguous', { name: 'x', email, access }),
      account('s-hr', 'made', { name: 'made', access }),
      account('s-new', 'gone', { name: 'gone' }),
    ]);
    // Stored ones change, are restored and go, with their identities.
    await importAll(store, 'acme', [
      identity('i-s1', { email: 'other@example.com' }),
      account('s-hr', 'made', { name: 'made', email, access }),
      deletion('account', 's-new gone'),
      deletion('identity', 'i-s2'),
    ]);
    return store.sources.listAccounts(
      'acme',
      [
        { field: 'source', operator: 'in', values: ['s-new'] },
        { field: 'identityId', operator: 'eq', values: [] },
        { field: 'correlation', operator: 'in', values: ['NONE'] },
        { field: 'name', operator: 'co', values: ['x'] },
        { field: 'disabled', operator: 'eq', values: ['false'] },
      ],
      PAGE,
    );
  },
  'sources.countAccounts': ({ sources }) =>
    sources.countAccounts('acme', [{ field: 'identityId', operator: 'eq', values: ['i-s1'] }]),
  'sources.findAccount': async (store) => store.sources.findAccount('acme', await keyOf(store, 'by-rule')),
  'sources.linkAccount': async (store) =>
    store.sources.linkAccount(actIn('acme'), await keyOf(store, 'ambiguous'), { identityId: 'i-s1' }),
  'sources.change': ({ sources }) =>
    sources.change(actIn('acme'), 's-new', {
      decide: (before) =>
        ok({ ...before, correlation: [{ account: 'id', identity: 'externalId' }], identityProfileId: 'ip' }),
    }),
  'sources.delete': ({ sources }) => sources.delete(actIn('acme'), 's-new', () => ok(null)),
};
