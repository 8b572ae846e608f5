import { OWN_ACCOUNT, ok } from '@access-admin/domain';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RightsLost } from '../src/index.ts';
import { newSession } from './call-every-sign-in-method.ts';
import { actAs, actIn, deletion, importAll, NOW, people } from './model-records.ts';
import { ENGINE, openDatabase } from './store-engine.ts';

const CLIENT = { clientId: 'c-1', clientCreated: NOW, identityId: 'ada' };
const SESSION = { clientId: 'session:s-1', sessionId: 's-1', identityId: 'ada' };
const OWN = { rights: OWN_ACCOUNT, targetIdentityId: 'ada' };

async function open() {
  const database = await openDatabase(ENGINE);
  onTestFinished(() => database[Symbol.asyncDispose]());
  const { store } = database;
  const name = (capabilities: readonly 'ORG_ADMIN'[]) => importAll(store, 'acme', people({ ada: capabilities }));
  const createClient = (scopes: readonly string[] = ['webhooks:manage'], created = NOW) =>
    store.clients.create(actIn('acme'), {
      tenant: 'acme',
      id: 'c-1',
      name: 'c-1',
      scopes,
      identityId: 'ada',
      created,
      secretHash: 'hash',
    });
  await name(['ORG_ADMIN']);
  await createClient();
  await store.sessions.create(actIn('acme'), newSession('s-1', { identityId: 'ada' }));
  /** The label that a change by the caller stores; or how its rights were lost. */
  const change = async (context: ReturnType<typeof actAs>) => {
    const { sequence } = await store.audit.head('acme');
    const label = `label ${sequence}`;
    try {
      await store.uiMetadata.change(context, { decide: (before) => ok({ ...before, usernameLabel: label }) });
      return 'changed';
    } catch (error) {
      if (!(error instanceof RightsLost)) throw error;
      expect((await store.uiMetadata.read('acme')).usernameLabel).not.toBe(label);
      expect((await store.audit.head('acme')).sequence).toBe(sequence);
      return error.forbidden === null ? 'gone' : 'forbidden';
    }
  };
  return { store, name, createClient, change };
}

describe('a change verifies in its transaction that the caller', () => {
  test('still has the capability that its operation needs', async () => {
    const { name, change } = await open();
    const callers = [CLIENT, SESSION, { identityId: 'ada' }];
    for (const caller of callers) expect(await change(actAs(caller))).toBe('changed');
    await name([]);
    for (const caller of callers) expect(await change(actAs(caller))).toBe('forbidden');
    for (const caller of callers) expect(await change(actAs(caller, OWN))).toBe('changed');
  });

  test('still exists as an identity', async () => {
    const { store, change } = await open();
    await importAll(store, 'acme', [deletion('identity', 'ada')]);
    for (const caller of [CLIENT, SESSION, { identityId: 'ada' }]) expect(await change(actAs(caller))).toBe('gone');
  });

  test('is a client that still exists, and not another one of its id', async () => {
    const { store, createClient, change } = await open();
    await store.clients.delete(actIn('acme'), 'c-1');
    expect(await change(actAs(CLIENT))).toBe('gone');
    await createClient(undefined, '2026-03-02T12:00:00.000Z');
    expect(await change(actAs(CLIENT))).toBe('gone');
  });

  test('is a client whose identity has not gained more than its maker had', async () => {
    const { store, change } = await open();
    await importAll(store, 'acme', people({ maker: ['ORG_ADMIN'] }));
    const asMaker = { ...actIn('acme'), actor: { clientId: 'c', identityId: 'maker' } };
    const rotated = { hash: 'h', previousEndsMs: null, decide: () => ok(null) };
    expect((await store.clients.replaceSecret(asMaker, 'c-1', rotated)).ok).toBe(true);
    const caller = { ...CLIENT, secretVersion: 2 };
    expect(await change(actAs(caller))).toBe('changed');
    await importAll(store, 'acme', people({ ada: ['ORG_ADMIN', 'INTERNAL'] }));
    expect(await change(actAs(caller))).toBe('gone');
  });

  test('is not another identity of its id, created after the token of an external issuer', async () => {
    const { store, change } = await open();
    const caller = { identityId: 'ada', issuedMs: Date.parse(NOW) };
    expect(await change(actAs(caller))).toBe('changed');
    await importAll(store, 'acme', [deletion('identity', 'ada')]);
    const later = new Date(Date.parse(NOW) + 5_000).toISOString();
    await importAll(store, 'acme', people({ ada: ['ORG_ADMIN'] }), later);
    expect(await change(actAs(caller))).toBe('gone');
    expect(await change(actAs({ ...caller, issuedMs: Date.parse(later) }))).toBe('changed');
  });

  test('is a client that still has the scope', async () => {
    const { store, change } = await open();
    const scopes = ['webhooks:manage', 'auth-users:read'];
    const take = (...rest: readonly string[]) =>
      store.clients.change(actIn('acme'), 'c-1', { decide: ({ client }) => ok({ ...client, scopes: rest }) });
    await take('auth-users:read');
    expect(await change(actAs({ ...CLIENT, scopes: new Set(scopes) }))).toBe('forbidden');
    await take(...scopes);
    expect(await change(actAs({ ...CLIENT, scopes: new Set(['auth-users:read']) }))).toBe('forbidden');
    expect(await change(actAs({ ...CLIENT, scopes: new Set(scopes) }))).toBe('changed');
  });

  test('is a session that has not ended', async () => {
    const { store, change } = await open();
    // It may end itself.
    expect(await store.sessions.end(actAs(SESSION, OWN), 's-1')).toEqual(ok(null));
    expect(await change(actAs(SESSION))).toBe('gone');
  });

  test('may delete itself', async () => {
    const { store, change } = await open();
    expect(await store.clients.delete(actAs(CLIENT), 'c-1')).toEqual(ok(null));
    expect(await change(actAs(CLIENT))).toBe('gone');
  });
});
