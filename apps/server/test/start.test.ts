import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { isTaken, readAddresses } from '../src/start/addresses.ts';
import { describeStart, type Started } from '../src/start/describe.ts';
import { readKnownClients } from '../src/start/kept-clients.ts';
import { findKnownClient, metricsPortOfWorker } from '../src/start/serve.ts';

/** A server in the place of the API. */
async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const known = (clientId: string) => ({ clientId, clientSecret: 's', tenant: null, file: null });

test('the first client that the service knows is found, by calls of its public name', async () => {
  const hosts = new Set<string | undefined>();
  const port = await listen((request, response) => {
    hosts.add(request.headers.host);
    const [, credentials = ''] = (request.headers.authorization ?? '').split(' ');
    const isToken = request.url === '/oauth/token';
    const isUnknown = isToken && !Buffer.from(credentials, 'base64').toString().startsWith('theirs:');
    response.writeHead(isUnknown ? 401 : 200, { 'content-type': 'application/json' });
    response.end(isToken ? '{"access_token":"t","expires_in":900}' : '{}');
  });
  const addressesOf = (tenant: string | null) =>
    readAddresses({ PORT: String(port), BASE_ADDRESS: 'https://{tenant}.example/' }, tenant ?? 'acme');
  const found = await findKnownClient([known('other'), known('theirs'), known('theirs too')], addressesOf);
  expect(found?.credentials.clientId).toBe('theirs');
  expect([...hosts]).toEqual(['acme.example']);
  expect(await findKnownClient([known('other')], addressesOf)).toBeNull();
});

test('a service that is busy is asked again, and one that fails is not taken for one that knows nobody', async () => {
  let asked = 0;
  const port = await listen((request, response) => {
    asked += request.url === '/oauth/token' ? 1 : 0;
    response.writeHead(asked === 1 ? 503 : 500, { 'retry-after': '0', 'content-type': 'application/json' });
    response.end('{}');
  });
  const addressesOf = () => readAddresses({ PORT: String(port) }, 'default');
  await expect(findKnownClient([known('c')], addressesOf, { retries: 1 })).rejects.toThrow('500');
  expect(asked).toBe(2);
});

test('a store with records of its own is offered no sample', () => {
  const addresses = readAddresses({ PORT: '8080' }, 'default');
  const people = { administrator: 'a', requester: 'r', approver: 'p' };
  const started: Started = {
    addresses,
    credentials: known('theirs'),
    tenant: 'default',
    sample: { folder: '/programs/sample', demoRequest: '{}', people },
    folder: '/company',
    prediction: null,
    isEmpty: false,
    signInLink: null,
    hasConsole: true,
  };
  expect(describeStart(started)).toMatch(/^token=/m);
  expect(describeStart(started)).not.toMatch(/sample|invite/);
  expect(describeStart({ ...started, isEmpty: true })).toMatch(/invite <username>.*sample\.ndjson/s);
});

test('clients of the environment are tried first, then those of the files, the newest first', () => {
  using folder = openFolder('server');
  mkdirSync(join(folder.path, 'var'));
  for (const [name, text] of [
    ['bootstrap-client.json', '{"clientId":"a","clientSecret":"1","tenant":"acme"}'],
    ['bootstrap-client.b.json', '{"clientId":"b","clientSecret":"2"}'],
    ['bootstrap-client.c.json', 'no JSON'],
    ['other.json', '{"clientId":"d","clientSecret":"3"}'],
  ] as const)
    writeFileSync(join(folder.path, 'var', name), text);
  utimesSync(join(folder.path, 'var/bootstrap-client.b.json'), 0, 0);
  const env = { BOOTSTRAP_CLIENT_ID: 'e', BOOTSTRAP_CLIENT_SECRET: '4' };
  const clients = readKnownClients(env, folder.path);
  expect(clients.map(({ clientId, tenant }) => [clientId, tenant])).toEqual([
    ['e', null],
    ['a', 'acme'],
    ['b', null],
  ]);
  expect(readKnownClients({ BOOTSTRAP_CLIENT_ID: 'e' }, join(folder.path, 'none'))).toEqual([]);
});

test('the addresses are those that callers on this machine and elsewhere have', async () => {
  expect(readAddresses({ HOST: '::', PORT: '81' }, 'acme')).toEqual({
    host: '::',
    port: 81,
    reachable: '::1',
    local: '[::1]:81',
    base: 'http://[::]:81',
    publicHost: '[::1]:81',
  });
  const port = await listen(() => {});
  expect(await isTaken({ host: '127.0.0.1', port })).toBe(true);
  // The API reports it.
  expect(await isTaken({ host: '127.0.0.1', port: Number('no port') })).toBe(false);
});

test.each([
  [{}, null],
  [{ METRICS_PORT: '' }, null],
  [{ METRICS_PORT: '9464' }, 9465],
  [{ METRICS_PORT: '8079' }, 8081],
  [{ METRICS_PORT: '65535' }, 65_534],
  [{ METRICS_PORT: '65534', PORT: '65535' }, 65_533],
  [{ METRICS_PORT: '65535', PORT: '65534' }, 65_533],
])('with %j the worker has its metrics at %s', (env, port) => {
  expect(metricsPortOfWorker(env, readAddresses(env, 'default'))).toBe(port);
});
