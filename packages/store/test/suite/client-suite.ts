import { setImmediate } from 'node:timers/promises';
import {
  type AuditContext,
  type AuditEvent,
  type Conflict,
  fail,
  failure,
  ok,
  type Result,
  SCOPES,
} from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { ClientView, NewClient, Store } from '../../src/index.ts';
import { actIn, deletion, importAll, NOW, people } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const client = (id: string, fields: Partial<NewClient> = {}): NewClient => ({
  tenant: 'acme',
  id,
  name: `name of ${id}`,
  scopes: ['auth-users:read', 'auth-users:manage'],
  identityId: null,
  created: NOW,
  secretHash: `hash of ${id}`,
  ...fields,
});

const ADMINISTRATOR = { scopes: ['oauth-clients:manage'] };
/** Refuses to lose the last administrator, as the API does. */
const keepLast = ({ standing: { isLastAdministrator } }: ClientView): Result<null, Conflict> =>
  isLastAdministrator ? fail(failure('Conflict', '', 'the last one')) : ok(null);
/** Refuses to lose a scope that no other application holds, as the API does. */
const keepHeld = <T>({ standing: { scopesHeldAlone } }: ClientView, outcome: Result<T, never>): Result<T, Conflict> =>
  scopesHeldAlone.length > 0 ? fail(failure('Conflict', '', 'the last one')) : outcome;
/** The standing of a client of acme, as a change sees it. */
async function standingOf({ clients }: Store, id: string): Promise<ClientView['standing'] | undefined> {
  const views: ClientView[] = [];
  await clients.change(actIn('acme'), id, {
    decide: (view) => {
      views.push(view);
      return ok(view.client);
    },
  });
  return views[0]?.standing;
}
const rename = (store: Store, id: string, name: string) =>
  store.clients.change(actIn('acme'), id, { decide: ({ client: before }) => ok({ ...before, name }) });

const PAGE = { limit: 250, offset: 0 };

export function describeClients(engine: StoreEngine): void {
  describe('clients', () => {
    test('a client is found as created, with its secret hash only for the token endpoint', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      const { secretHash, ...created } = client('c-1');
      expect(await clients.create(actIn('acme'), { ...created, secretHash })).toBe('tenantCreated');
      const found = { ...created, isBootstrap: false, isSessionBound: false, lastUsed: null };
      expect(await clients.find('acme', 'c-1')).toEqual(found);
      const secrets = [{ version: 1, hash: secretHash, endsMs: null }];
      expect(await clients.findForToken('c-1')).toEqual({ ...found, secrets });
      expect(await clients.list('acme', PAGE)).toEqual([found]);
      expect(await clients.create(actIn('acme'), client('c-2'))).toBe('created');
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
      expect(await clients.delete(actIn('other'), 'c-1')).toMatchObject({ failure: { type: 'NotFound' } });
      expect(await clients.delete(actIn('acme'), 'c-1')).toEqual(ok(null));
      expect(await clients.delete(actIn('acme'), 'c-1')).toMatchObject({ failure: { type: 'NotFound' } });
      expect(await clients.find('acme', 'c-1')).toBeNull();
      expect(await clients.findForToken('c-1')).toBeNull();
    });

    test('a caller has the current capabilities of its identity', async () => {
      await using database = await openDatabase(engine);
      const { clients, authUsers } = database.store;
      await importAll(database.store, 'acme', people({ 'i-1': ['ORG_ADMIN', 'HELPDESK'] }));
      await clients.create(actIn('acme'), client('c-app'));
      await clients.create(actIn('acme'), client('c-1', { identityId: 'i-1' }));
      const asCreated = {
        scopes: new Set(['auth-users:read', 'auth-users:manage']),
        created: NOW,
        secretVersion: 1,
        previousSecretEndsMs: null,
        makerCapabilities: null,
        previousMakerCapabilities: null,
        isSessionBound: false,
      };
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
      expect(await clients.findCaller('acme', 'c-1')).toBeNull();
      expect(await clients.findCapabilities('acme', 'i-1')).toBeNull();
      expect(await clients.findCaller('acme', 'c-2')).toBeNull();
    });

    test('the clients of deleted identities are deleted with them, and no others', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const elsewhere = await database.openAnother();
      const ids = Array.from({ length: 501 }, (_, at) => `i-${at}`);
      const all = people(Object.fromEntries([...ids, 'i-kept'].map((id) => [id, []])));
      for (const tenant of ['acme', 'other']) await importAll(store, tenant, all);
      const acting = [client('c-0', { identityId: 'i-0' }), client('c-500', { identityId: 'i-500' })];
      const others = [
        client('c-app'),
        client('c-kept', { identityId: 'i-kept' }),
        client('c-other', { tenant: 'other', identityId: 'i-0' }),
      ];
      for (const each of [...acting, ...others]) await store.clients.create(actIn(each.tenant), each);
      for (const { tenant, id } of acting) expect(await elsewhere.clients.findCaller(tenant, id)).not.toBeNull();
      await importAll(
        store,
        'acme',
        ids.map((id) => deletion('identity', id)),
      );
      await importAll(store, 'acme', all);
      for (const { tenant, id } of acting) {
        expect(await store.clients.findForToken(id)).toBeNull();
        await expect.poll(() => elsewhere.clients.findCaller(tenant, id), { timeout: 10_000 }).toBeNull();
      }
      for (const { tenant, id } of others) expect(await store.clients.findCaller(tenant, id)).not.toBeNull();
      expect((await store.clients.list('acme', { limit: 10, offset: 0 })).map(({ id }) => id)).toEqual([
        'c-app',
        'c-kept',
      ]);
    });

    test('the capabilities of an identity are for tokens that are no older than it', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
      const bornMs = Date.parse(NOW);
      const at = (issuedMs: number) => store.clients.findCapabilities('acme', 'i-1', issuedMs);
      expect([await at(bornMs - 1_000), await at(bornMs), await at(bornMs + 1_000)]).toEqual([
        null,
        ['HELPDESK'],
        ['HELPDESK'],
      ]);
      const later = new Date(bornMs + 60_500).toISOString();
      const importLater = (records: Parameters<typeof importAll>[2]) => importAll(store, 'acme', records, later);
      await importLater(people({ 'i-1': [] }));
      expect(await at(bornMs)).toEqual([]);
      await importLater([deletion('identity', 'i-1')]);
      await importLater(people({ 'i-1': ['HELPDESK'] }));
      expect([await at(bornMs + 59_000), await at(bornMs + 60_000)]).toEqual([null, ['HELPDESK']]);
    });

    test('the capabilities of the maker of each secret are kept, as they were then', async () => {
      await using database = await openDatabase(engine);
      const { clients, authUsers } = database.store;
      await importAll(database.store, 'acme', people({ 'i-1': [], maker: ['ORG_ADMIN'], other: ['HELPDESK'] }));
      const as = (identityId: string) => ({ ...actIn('acme'), actor: { clientId: 'c', identityId } });
      const made = async () => {
        const found = await clients.findCaller('acme', 'c-1');
        return [found?.makerCapabilities, found?.previousMakerCapabilities];
      };
      await clients.create(as('maker'), client('c-1', { identityId: 'i-1' }));
      await authUsers.change(actIn('acme'), 'maker', { decide: ({ user }) => ok({ ...user, capabilities: [] }) });
      expect(await made()).toEqual([['ORG_ADMIN'], null]);
      const rotate = (by: AuditContext, previousEndsMs: number | null) =>
        clients.replaceSecret(by, 'c-1', { hash: 'h', previousEndsMs, decide: () => ok(null) });
      await rotate(as('other'), 5_000);
      expect(await made()).toEqual([['HELPDESK'], ['ORG_ADMIN']]);
      await rotate(actIn('acme'), null);
      expect(await made()).toEqual([null, null]);
      await clients.create(as('maker'), client('c-app'));
      expect((await clients.findCaller('acme', 'c-app'))?.makerCapabilities).toBeNull();
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

    test('a change of name and scopes is stored, unless the decision or the precondition fails', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      const { secretHash, ...created } = client('c-1');
      const before = { ...created, isBootstrap: false, isSessionBound: false, lastUsed: null };
      await clients.create(actIn('acme'), client('c-1'));
      const after = { ...before, name: 'another', scopes: ['auth-users:read'] };
      const views: ClientView[] = [];
      const decide = (view: ClientView) => {
        views.push(view);
        return ok(after);
      };
      const refuse = () => fail(failure('Conflict', '', 'no'));
      expect(await clients.change(actIn('acme'), 'c-1', { decide, precondition: refuse })).toMatchObject({ ok: false });
      expect(await clients.change(actIn('acme'), 'c-1', { decide: refuse })).toMatchObject({ ok: false });
      expect(await clients.find('acme', 'c-1')).toEqual(before);
      expect(await clients.change(actIn('acme'), 'c-1', { decide })).toEqual(ok(after));
      expect(await clients.find('acme', 'c-1')).toEqual(after);
      const secrets = [{ version: 1, hash: secretHash, endsMs: null }];
      expect(await clients.findForToken('c-1')).toEqual({ ...after, secrets });
      expect(views[0]).toEqual({
        client: before,
        standing: {
          isBootstrap: false,
          isLastAdministrator: false,
          scopesHeldAlone: ['auth-users:read', 'auth-users:manage'],
        },
      });
      for (const [tenant, id] of [
        ['other', 'c-1'],
        ['acme', 'c-2'],
      ] as const)
        expect(await clients.change(actIn(tenant), id, { decide })).toMatchObject({ failure: { type: 'NotFound' } });
    });

    test('a scope that one store takes away is seen by the others', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const elsewhere = await database.openAnother();
      await store.clients.create(actIn('acme'), client('c-1'));
      const has = async () => (await elsewhere.clients.findCaller('acme', 'c-1'))?.scopes.has('auth-users:manage');
      while (!(await has())) await setImmediate();
      await store.clients.change(actIn('acme'), 'c-1', {
        decide: ({ client: before }) => ok({ ...before, scopes: ['auth-users:read'] }),
      });
      while (await has()) await setImmediate();
      expect((await elsewhere.clients.findCaller('acme', 'c-1'))?.scopes).toEqual(new Set(['auth-users:read']));
    });

    test.each<[string, readonly NewClient[], boolean]>([
      ['there is no other', [], true],
      ['another has the scope', [client('c-2', ADMINISTRATOR)], false],
      ['another has other scopes', [client('c-2')], true],
      ['one of another tenant has the scope', [client('c-2', { ...ADMINISTRATOR, tenant: 'other' })], true],
      ['another acts as an ORG_ADMIN', [client('c-2', { ...ADMINISTRATOR, identityId: 'i-admin' })], false],
      ['another acts as an identity without it', [client('c-2', { ...ADMINISTRATOR, identityId: 'i-help' })], true],
      ['the identity of another was deleted', [client('c-2', { ...ADMINISTRATOR, identityId: 'i-gone' })], true],
    ])('the only client that can administer clients is known as such: %s', async (_, others, isLast) => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const all = people({ 'i-admin': ['ORG_ADMIN'], 'i-help': ['HELPDESK'], 'i-gone': ['ORG_ADMIN'] });
      await importAll(store, 'acme', all);
      for (const each of [client('c-1', ADMINISTRATOR), ...others]) await store.clients.create(actIn('acme'), each);
      await importAll(store, 'acme', [deletion('identity', 'i-gone')]);
      expect(await store.clients.delete(actIn('acme'), 'c-1', { decide: keepLast })).toMatchObject({ ok: !isLast });
      expect((await store.clients.find('acme', 'c-1')) === null).toBe(!isLast);
    });

    test('the bootstrap client can administer clients, whatever an earlier version stored', async () => {
      await using database = await openDatabase(engine);
      await database.store.clients.createFirst(client('c-first'));
      await database.execute(`update oauth_client set scopes = '[]'`);
      const { clients } = await database.openAnother();
      const views: ClientView[] = [];
      const decide = (view: ClientView) => {
        views.push(view);
        return ok({ ...view.client, name: 'Root' });
      };
      expect(await clients.change(actIn('acme'), 'c-first', { decide })).toMatchObject({ ok: true });
      expect(views[0]?.standing).toEqual({ isBootstrap: true, isLastAdministrator: true, scopesHeldAlone: SCOPES });
      expect(await clients.find('acme', 'c-first')).toMatchObject({ name: 'Root', scopes: SCOPES });
    });

    test.each<[string, readonly NewClient[], readonly string[]]>([
      ['there is no other', [], ['auth-users:read', 'auth-users:manage']],
      ['another has one of them', [client('c-2', { scopes: ['auth-users:read'] })], ['auth-users:manage']],
      [
        'two others have one each',
        [client('c-2', { scopes: ['auth-users:read'] }), client('c-3', { scopes: ['auth-users:manage'] })],
        [],
      ],
      ['another has both', [client('c-2')], []],
      ['another tenant has both', [client('c-2', { tenant: 'other' })], ['auth-users:read', 'auth-users:manage']],
      ['an identity has both', [client('c-2', { identityId: 'i-1' })], ['auth-users:read', 'auth-users:manage']],
    ])('the scopes that an application holds alone are known: %s', async (_, others, alone) => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': ['ORG_ADMIN'] }));
      const scopes = ['auth-users:read', 'auth-users:manage', 'of an earlier version'];
      await store.clients.create(actIn('acme'), client('c-1', { scopes }));
      for (const each of others) await store.clients.create(actIn('acme'), each);
      expect((await standingOf(store, 'c-1'))?.scopesHeldAlone).toEqual(alone);
    });

    test('beside the bootstrap client no application holds a scope alone, nor does the client of an identity', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': [] }));
      await store.clients.create(actIn('acme'), client('c-1', { identityId: 'i-1' }));
      expect((await standingOf(store, 'c-1'))?.scopesHeldAlone).toEqual([]);
      await database.execute('delete from oauth_client');
      await store.clients.createFirst(client('c-first'));
      await store.clients.create(actIn('acme'), client('c-2'));
      expect((await standingOf(store, 'c-2'))?.scopesHeldAlone).toEqual([]);
      expect((await standingOf(store, 'c-first'))?.scopesHeldAlone).toEqual(
        SCOPES.filter((scope) => !client('c-2').scopes.includes(scope)),
      );
    });

    test('of two applications that are deleted at once, or lose a scope, one keeps what both hold', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()] as const;
      for (let round = 0; round < 5; round++) {
        const tenant = `t-${round}`;
        const left = `${tenant}-left`;
        const right = `${tenant}-right`;
        for (const id of [left, right]) await database.store.clients.create(actIn(tenant), client(id, { tenant }));
        const lose = { decide: (view: ClientView) => keepHeld(view, ok({ ...view.client, scopes: [] })) };
        const outcomes = await Promise.all([
          stores[0].clients.delete(actIn(tenant), left, { decide: (view) => keepHeld(view, ok(null)) }),
          round % 2 === 0
            ? stores[1].clients.delete(actIn(tenant), right, { decide: (view) => keepHeld(view, ok(null)) })
            : stores[1].clients.change(actIn(tenant), right, lose),
        ]);
        expect(outcomes.filter(({ ok: isDone }) => isDone)).toHaveLength(1);
        const rest = await database.store.clients.list(tenant, PAGE);
        expect(new Set(rest.flatMap(({ scopes }) => scopes))).toEqual(new Set(client('').scopes));
      }
    });

    test('of two clients that delete each other at once, one stays to administer clients', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()] as const;
      for (let round = 0; round < 5; round++) {
        const ids = [`c-${round}-left`, `c-${round}-right`] as const;
        for (const id of ids) await database.store.clients.create(actIn('acme'), client(id, ADMINISTRATOR));
        const [other] = (await database.store.clients.list('acme', PAGE)).filter(
          ({ id }) => !id.startsWith(`c-${round}`),
        );
        if (other !== undefined) await database.store.clients.delete(actIn('acme'), other.id);
        const outcomes = await Promise.all([
          stores[0].clients.delete(actIn('acme'), ids[0], { decide: keepLast }),
          stores[1].clients.delete(actIn('acme'), ids[1], { decide: keepLast }),
        ]);
        expect(outcomes.filter(({ ok: deleted }) => deleted)).toHaveLength(1);
        expect(await database.store.clients.count('acme')).toBe(1);
      }
    });

    test('two tenants create clients in each other at once, and both logs stay whole', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()] as const;
      const tenants = ['acme', 'globex'] as const;
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => {
          const [by, to] = at % 2 === 0 ? tenants : [tenants[1], tenants[0]];
          return (at % 4 < 2 ? stores[0] : stores[1]).clients.create(actIn(by), client(`c-${at}`, { tenant: to }));
        }),
      );
      for (const tenant of tenants) expect(await database.store.clients.count(tenant)).toBe(10);
      const { audit } = database.store;
      for (const tenant of tenants)
        expect(await audit.listSequences(tenant, [], PAGE)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    });

    test('a change that changes nothing is not recorded', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await store.clients.create(actIn('acme'), client('c-1'));
      await rename(store, 'c-1', 'another');
      await rename(store, 'c-1', 'another');
      expect(await store.audit.listSequences('acme', [], PAGE)).toEqual([1, 2]);
    });

    test('a secret is replaced, and the one before stays as long as it is to', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      await clients.create(actIn('acme'), client('c-1'));
      const versions: number[] = [];
      const replace = (hash: string, previousEndsMs: number | null) =>
        clients.replaceSecret(actIn('acme'), 'c-1', {
          hash,
          previousEndsMs,
          decide: ({ version }) => {
            versions.push(version);
            return ok(null);
          },
        });
      const { secretHash: _, ...created } = client('c-1');
      expect(await replace('second', 5_000)).toEqual(
        ok({ ...created, isBootstrap: false, isSessionBound: false, lastUsed: null }),
      );
      const second = { version: 2, hash: 'second', endsMs: null };
      const secrets = async () => (await clients.findForToken('c-1'))?.secrets;
      expect(await secrets()).toEqual([second, { version: 1, hash: 'hash of c-1', endsMs: 5_000 }]);
      expect(await clients.findCaller('acme', 'c-1')).toMatchObject({ secretVersion: 2, previousSecretEndsMs: 5_000 });
      await replace('third', 9_000);
      const third = { version: 3, hash: 'third', endsMs: null };
      expect(await secrets()).toEqual([third, { ...second, endsMs: 9_000 }]);
      await replace('fourth', null);
      expect(await secrets()).toEqual([{ version: 4, hash: 'fourth', endsMs: null }]);
      expect(await clients.findCaller('acme', 'c-1')).toMatchObject({ secretVersion: 4, previousSecretEndsMs: null });
      expect(versions).toEqual([1, 2, 3]);
    });

    test('a secret is not replaced when the decision or the precondition fails, nor that of another tenant', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      await clients.create(actIn('acme'), client('c-1'));
      const refuse = () => fail(failure('Conflict', '', 'no'));
      const next = { hash: 'next', previousEndsMs: null, decide: () => ok(null) };
      const replace = (tenant: string, id: string, changed: object) =>
        clients.replaceSecret(actIn(tenant), id, { ...next, ...changed });
      expect(await replace('acme', 'c-1', { decide: refuse })).toMatchObject({ failure: { type: 'Conflict' } });
      expect(await replace('acme', 'c-1', { precondition: refuse })).toMatchObject({ failure: { type: 'Conflict' } });
      expect(await replace('other', 'c-1', {})).toMatchObject({ failure: { type: 'NotFound' } });
      expect(await replace('acme', 'c-2', {})).toMatchObject({ failure: { type: 'NotFound' } });
      expect((await clients.findForToken('c-1'))?.secrets).toEqual([{ version: 1, hash: 'hash of c-1', endsMs: null }]);
      expect(await database.store.audit.listSequences('acme', [], PAGE)).toEqual([1]);
    });

    test('a secret that one store replaces has ended for the others', async () => {
      await using database = await openDatabase(engine);
      const elsewhere = await database.openAnother();
      await database.store.clients.create(actIn('acme'), client('c-1'));
      const version = async () => (await elsewhere.clients.findCaller('acme', 'c-1'))?.secretVersion;
      while ((await version()) !== 1) await setImmediate();
      await database.store.clients.replaceSecret(actIn('acme'), 'c-1', {
        hash: 'next',
        previousEndsMs: null,
        decide: () => ok(null),
      });
      while ((await version()) === 1) await setImmediate();
      expect(await version()).toBe(2);
    });

    test('a bootstrap client is made beside others, once, and not with the id of another client', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()] as const;
      const { clients, audit } = database.store;
      expect(await clients.findBootstrapIds('acme')).toEqual([]);
      await clients.create(actIn('acme'), client('c-1'));
      await clients.create(actIn('other'), client('c-2', { tenant: 'other' }));
      for (const id of ['c-1', 'c-2']) expect(await clients.createBootstrap(actIn('acme'), client(id))).toBe(false);
      const outcomes = await Promise.all(
        [0, 1, 0, 1].map((at) => (stores[at] ?? database.store).clients.createBootstrap(actIn('acme'), client('c-3'))),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const found = await clients.find('acme', 'c-3');
      expect(found).toMatchObject({ scopes: SCOPES, identityId: null, isBootstrap: true });
      expect(await clients.findBootstrapIds('acme')).toEqual(['c-3']);
      expect(await clients.findBootstrapIds('other')).toEqual([]);
      expect(await audit.listSequences('acme', [], PAGE)).toEqual([1, 2]);
      expect(await clients.find('other', 'c-2')).toMatchObject({ isBootstrap: false });
    });

    test('ids that were reserved for no client get no token, and are in the way of no first client', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      await database.execute(`insert into oauth_client_tenant (id, tenant) values ('c-1', 'acme'), ('c-2', 'other')`);
      expect(await clients.findForToken('c-2')).toBeNull();
      expect(await clients.hasAny()).toBe(false);
      expect(await clients.createFirst(client('c-1'))).toBe(true);
      expect(await clients.hasAny()).toBe(true);
      expect(await clients.createFirst(client('c-3'))).toBe(false);
      // The id of a client that another tenant never had.
      expect(await clients.createBootstrap(actIn('acme'), client('c-2'))).toBe(true);
      expect(await clients.findForToken('c-2')).toMatchObject({ tenant: 'acme' });
    });

    test('an id is of one tenant, also where a deleted client has had it', async () => {
      await using database = await openDatabase(engine);
      const { clients } = database.store;
      await clients.create(actIn('other'), client('c-1', { tenant: 'other' }));
      expect(await clients.findForToken('c-1')).toMatchObject({ tenant: 'other' });
      await expect(clients.create(actIn('acme'), client('c-1'))).rejects.toThrow();
      expect(await clients.createBootstrap(actIn('acme'), client('c-1'))).toBe(false);
      await clients.delete(actIn('other'), 'c-1');
      expect(await clients.findForToken('c-1')).toBeNull();
      expect(await clients.createBootstrap(actIn('acme'), client('c-1'))).toBe(true);
      expect(await clients.findForToken('c-1')).toMatchObject({ tenant: 'acme' });
      expect(await clients.findForToken('c-1')).toMatchObject({ tenant: 'acme' });
    });

    test('a start reserves the ids of clients that have none reserved', async () => {
      await using database = await openDatabase(engine);
      for (const id of ['c-1', 'c-2']) await database.store.clients.create(actIn('acme'), client(id));
      await database.store.clients.create(actIn('acme'), client('c-3', { tenant: 'other' }));
      await database.execute(`delete from oauth_client_tenant where id <> 'c-1'`);
      expect(await database.store.clients.findForToken('c-3')).toBeNull();
      const { clients } = await database.openAnother();
      for (const [id, tenant] of [
        ['c-1', 'acme'],
        ['c-2', 'acme'],
        ['c-3', 'other'],
      ] as const)
        expect(await clients.findForToken(id)).toMatchObject({ id, tenant });
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

    test('one of several concurrent replacements retires the key, whose private part is gone', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()];
      const { signingKeys } = database.store;
      const key = (kid: string) => ({ kid, issuer: 'https://b.example', privateJwk: '{"d":"secret"}', created: NOW });
      const retired = (kid: string) => ({
        kid,
        issuer: 'https://b.example',
        publicJwk: '{}',
        created: NOW,
        retired: NOW,
        tokensEnd: NOW,
      });
      await signingKeys.createFor(key('k-0'));
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map((number) =>
          stores[number % 2]?.signingKeys.replace(actIn('acme'), key(`k-${number}`), retired('k-0')),
        ),
      );
      expect(outcomes.filter((replaced) => replaced)).toHaveLength(1);
      expect(await signingKeys.list()).toEqual([key(`k-${outcomes.indexOf(true) + 1}`)]);
      expect(await signingKeys.listRetired()).toEqual([retired('k-0')]);
      const other = { ...retired('k-0'), issuer: 'https://c.example' };
      expect(await signingKeys.replace(actIn('acme'), key('k-9'), other)).toBe(false);
      const told: AuditEvent[] = [];
      for await (const event of database.store.audit.export('acme')) told.push(event);
      expect(told.map(({ resource }) => resource)).toEqual([
        { type: 'SIGNING_KEY', id: `k-${outcomes.indexOf(true) + 1}` },
      ]);
    });

    test('tokens of keys that an issuer retired earlier end no later than those of the one that is replaced', async () => {
      await using database = await openDatabase(engine);
      const { signingKeys } = database.store;
      const midnight = (day: string) => `${day}T00:00:00.000Z`;
      const key = (kid: string, issuer: string) => ({ kid, issuer, privateJwk: '{}', created: NOW });
      const retire = (issuer: string, kid: string, next: string, tokensEnd: string) =>
        signingKeys.replace(actIn('acme'), key(next, issuer), {
          kid,
          issuer,
          publicJwk: '{}',
          created: NOW,
          retired: NOW,
          tokensEnd,
        });
      const ends = async () => (await signingKeys.listRetired()).map(({ kid, tokensEnd }) => [kid, tokensEnd]);
      const past = midnight('1970-01-01');
      const soon = midnight('2026-11-22');
      const later = midnight('2026-11-23');
      await signingKeys.createFor(key('k-1', 'https://a.example'));
      await signingKeys.createFor(key('other', 'https://b.example'));
      await retire('https://b.example', 'other', 'other-2', soon);
      await retire('https://a.example', 'k-1', 'k-2', soon);
      await retire('https://a.example', 'k-2', 'k-3', later);
      expect(await ends()).toEqual([
        ['k-1', soon],
        ['k-2', later],
        ['other', soon],
      ]);
      await retire('https://a.example', 'k-3', 'k-4', past);
      expect(await ends()).toEqual([
        ['k-1', past],
        ['k-2', past],
        ['k-3', past],
        ['other', soon],
      ]);
    });
  });
}
