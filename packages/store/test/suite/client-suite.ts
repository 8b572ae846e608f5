import { setImmediate } from 'node:timers/promises';
import { SCOPES } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { ClientWithSecret } from '../../src/index.ts';
import { actIn, deletion, importAll, NOW, people } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const client = (id: string, fields: Partial<ClientWithSecret> = {}): ClientWithSecret => ({
  tenant: 'acme',
  id,
  name: `name of ${id}`,
  scopes: ['auth-users:read', 'auth-users:manage'],
  identityId: null,
  created: NOW,
  secretHash: `hash of ${id}`,
  ...fields,
});

const PAGE = { limit: 250, offset: 0 };

export function describeClients(engine: StoreEngine): void {
  describe('clients', () => {
    test('a client is found as created, with its secret hash only for the token endpoint', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      const { secretHash, ...created } = client('c-1');
      expect(await clients.create(actIn('acme'), { ...created, secretHash })).toBe('created');
      expect(await clients.find('acme', 'c-1')).toEqual(created);
      expect(await clients.findForToken('c-1')).toEqual({ ...created, secretHash });
      expect(await clients.list('acme', PAGE)).toEqual([created]);
    });

    test('the identity of a new client must exist in its tenant', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      await importAll(database.store, 'other', people({ 'i-1': [] }));
      expect(await clients.create(actIn('acme'), client('c-1', { identityId: 'i-1' }))).toBe('identityGone');
      expect(await clients.count('acme')).toBe(0);
    });

    test('lists are in code-unit order of ids, page by page', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      for (const id of ['b', 'a', 'B', '_', 'a.1', '1']) await clients.create(actIn('acme'), client(id));
      const ids = async (limit: number, offset: number) =>
        (await clients.list('acme', { limit, offset })).map(({ id }) => id);
      expect(await ids(250, 0)).toEqual(['1', 'B', '_', 'a', 'a.1', 'b']);
      expect(await ids(2, 1)).toEqual(['B', '_']);
      expect(await ids(2, 5)).toEqual(['b']);
      expect(await ids(2, 6)).toEqual([]);
      expect(await clients.count('acme')).toBe(6);
    });

    test('a tenant sees and deletes its own clients only', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      await clients.create(actIn('acme'), client('c-1'));
      expect(await clients.find('other', 'c-1')).toBeNull();
      expect(await clients.findCaller('other', 'c-1')).toBeNull();
      expect(await clients.list('other', PAGE)).toEqual([]);
      expect(await clients.delete(actIn('other'), 'c-1')).toBe(false);
      expect(await clients.delete(actIn('acme'), 'c-1')).toBe(true);
      expect(await clients.delete(actIn('acme'), 'c-1')).toBe(false);
      expect(await clients.find('acme', 'c-1')).toBeNull();
      expect(await clients.findForToken('c-1')).toBeNull();
    });

    test('a caller has the current capabilities of its identity', async () => {
      await using database = await openDatabase(engine);
      const { clients, authUsers } = database.store;
      await importAll(database.store, 'acme', people({ 'i-1': ['ORG_ADMIN', 'HELPDESK'] }));
      await clients.create(actIn('acme'), client('c-app'));
      await clients.create(actIn('acme'), client('c-1', { identityId: 'i-1' }));
      const asCreated = { scopes: new Set(['auth-users:read', 'auth-users:manage']), created: NOW };
      expect(await clients.findCaller('acme', 'c-app')).toEqual({ ...asCreated, identityId: null, capabilities: [] });
      const asIdentity = { ...asCreated, identityId: 'i-1' };
      const both = ['ORG_ADMIN', 'HELPDESK'];
      expect(await clients.findCaller('acme', 'c-1')).toEqual({ ...asIdentity, capabilities: both });
      await authUsers.change(actIn('acme'), 'i-1', {
        decide: ({ user }) => ({ ok: true, value: { ...user, capabilities: [] } }),
      });
      expect(await clients.findCaller('acme', 'c-1')).toEqual({ ...asIdentity, capabilities: [] });
      expect(await clients.findCapabilities('acme', 'i-1')).toEqual([]);
      await importAll(database.store, 'acme', [deletion('identity', 'i-1')]);
      expect(await clients.findCaller('acme', 'c-1')).toEqual({ ...asIdentity, capabilities: null });
      expect(await clients.findCapabilities('acme', 'i-1')).toBeNull();
      expect(await clients.findCaller('acme', 'c-2')).toBeNull();
    });

    test('the capabilities of an identity with the same id in another tenant are separate', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      await importAll(database.store, 'acme', people({ 'i-1': [] }));
      await importAll(database.store, 'other', people({ 'i-1': ['ORG_ADMIN'] }));
      await clients.create(actIn('acme'), client('c-1', { identityId: 'i-1' }));
      expect(await clients.findCaller('acme', 'c-1')).toMatchObject({ identityId: 'i-1', capabilities: [] });
      expect(await clients.findCapabilities('acme', 'i-1')).toEqual([]);
    });

    test('a deletion by one store is seen by the others', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const elsewhere = await database.openAnother();
      await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
      await store.clients.create(actIn('acme'), client('c-1'));
      const until = async (condition: () => Promise<boolean>) => {
        while (!(await condition())) await setImmediate();
      };
      await until(async () => (await elsewhere.clients.findCaller('acme', 'c-1')) !== null);
      expect(await elsewhere.clients.findCapabilities('acme', 'i-1')).toEqual(['HELPDESK']);
      await store.clients.delete(actIn('acme'), 'c-1');
      expect(await store.clients.findCaller('acme', 'c-1')).toBeNull();
      await until(async () => (await elsewhere.clients.findCaller('acme', 'c-1')) === null);
      await importAll(store, 'acme', people({ 'i-1': [] }));
      expect(await store.clients.findCapabilities('acme', 'i-1')).toEqual([]);
      await until(async () => (await elsewhere.clients.findCapabilities('acme', 'i-1'))?.length === 0);
    });

    test('the bootstrap client has every scope of the running version, whatever an earlier version stored', async () => {
      await using database = await openDatabase(engine);
      const { scopes: _, identityId: __, ...first } = client('c-first');
      expect(await database.store.clients.createFirst(first)).toBe(true);
      await database.store.clients.create(actIn('acme'), client('c-other'));
      await database.execute(`update oauth_client set scopes = '["auth-users:read","of an earlier version"]'`);
      const { clients } = await database.openAnother();
      const earlier = ['auth-users:read', 'of an earlier version'];
      expect(await clients.list('acme', PAGE)).toMatchObject([{ scopes: SCOPES }, { scopes: earlier }]);
      expect(await clients.find('acme', 'c-first')).toMatchObject({ scopes: SCOPES });
      expect(await clients.findForToken('c-first')).toMatchObject({ scopes: SCOPES });
      expect((await clients.findCaller('acme', 'c-first'))?.scopes).toEqual(new Set(SCOPES));
      expect((await clients.findCaller('acme', 'c-other'))?.scopes).toEqual(new Set(earlier));
    });

    test('exactly one of several concurrent first clients is stored', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()];
      const outcomes = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((number) => stores[number % 2]?.clients.createFirst(client(`c-${number}`))),
      );
      expect(outcomes.filter((stored) => stored)).toHaveLength(1);
      expect(await database.store.clients.count('acme')).toBe(1);
    });
  });

  describe('signing keys', () => {
    test('the first key of an issuer is used by all processes', async () => {
      await using database = await openDatabase(engine);
      const { signingKeys } = database.store;
      const key = (kid: string, issuer: string) => ({ kid, issuer, privateJwk: `{"kid":"${kid}"}`, created: NOW });
      expect(await signingKeys.createFor(key('k-1', 'https://b.example'))).toEqual(key('k-1', 'https://b.example'));
      expect(await signingKeys.createFor(key('k-2', 'https://b.example'))).toEqual(key('k-1', 'https://b.example'));
      await signingKeys.createFor(key('k-3', 'https://a.example'));
      expect(await signingKeys.list()).toEqual([key('k-3', 'https://a.example'), key('k-1', 'https://b.example')]);
    });
  });
}
