import { describe, expect, test } from 'vitest';
import { createBootstrapClient } from '../src/auth/bootstrap-client.ts';
import { openTestApi, type TestApi } from './test-api.ts';

const ROOT = { bootstrapClientId: 'root', bootstrapClientSecret: 'root secret%' };

describe('OAuth clients', () => {
  test('show their secret once only', async () => {
    const { call } = await openTestApi();
    const created = await call('POST', '/oauth-clients/v1', { body: { name: 'ci', scopes: ['auth-users:read'] } });
    expect(created.status).toBe(201);
    const { secret, ...shown } = created.json;
    expect(secret).toHaveLength(43);
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'ci',
      scopes: ['auth-users:read'],
      identityId: null,
      tenant: 'default',
      created: '2026-11-21T09:30:00.000Z',
    });
    expect((await call('GET', `/oauth-clients/v1/${shown.id}`)).json).toEqual(shown);
    const list = await call('GET', '/oauth-clients/v1?count=true');
    expect(list.json).toContainEqual(shown);
    expect(list.text).not.toMatch(/secret|scrypt/);
    expect((await call('DELETE', `/oauth-clients/v1/${shown.id}`)).text).toBe('');
    expect((await call('DELETE', `/oauth-clients/v1/${shown.id}`)).status).toBe(404);
  });

  test('a caller cannot create a client with a scope that it lacks, nor for another tenant without the scope for it', async () => {
    const { call, clientToken } = await openTestApi();
    const token = await clientToken({ scopes: ['oauth-clients:manage', 'auth-users:read'] });
    const create = (body: object) => call('POST', '/oauth-clients/v1', { token, body: { name: 'c', ...body } });
    expect((await create({ scopes: ['auth-users:read'] })).status).toBe(201);
    expect((await create({ scopes: ['auth-users:manage'] })).status).toBe(403);
    expect((await create({ scopes: ['auth-users:read'], tenant: 'other' })).status).toBe(403);
    expect((await create({ scopes: ['auth-users:read'], tenant: 'default' })).status).toBe(201);
  });

  test('a client cannot act as an unknown identity', async () => {
    const { call } = await openTestApi();
    const answer = await call('POST', '/oauth-clients/v1', {
      body: { name: 'c', scopes: ['auth-users:read'], identityId: 'nobody' },
    });
    expect(answer.json.detailCode).toBe('400.1.404');
  });
});

/** The first start on a store without clients. */
const startAgain = ({ store, clock }: TestApi) =>
  createBootstrapClient({
    clients: store.clients,
    secrets: { hash: async () => 'scrypt:AA:AA' },
    config: { tenant: 'default', ...ROOT },
    now: () => new Date(clock.nowMs),
    newId: () => 'unused',
    newSecret: () => 'unused',
    keep: () => Promise.reject(new Error('the credentials are given')),
  });

describe('tokens of a client', () => {
  test('are refused by a later client with the same id, even one that is created in the same second', async () => {
    const api = await openTestApi();
    const { call, store, clock, rootToken } = api;
    clock.nowMs += 5;
    const token = await rootToken();
    expect((await call('GET', '/oauth-clients/v1', { token })).status).toBe(200);
    clock.nowMs += 5;
    await store.clients.delete(
      { tenant: 'default', actor: { clientId: 'root', identityId: null }, operation: 'test', time: '', trackingId: '' },
      'root',
    );
    expect((await call('GET', '/oauth-clients/v1', { token })).status).toBe(401);
    await startAgain(api);
    expect((await call('GET', '/oauth-clients/v1', { token })).status).toBe(401);
  });
});
