import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { EXPORTS_MAX } from '@access-admin/contract';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';
import { openSession } from './test-session.ts';

const EXPORT = '/access-model/v1/export';
const PATHS = [EXPORT, '/audit-events/v1/export'];
/** A tenant may hold as many as it leaves free. */
const OWN_SLOTS = Array.from({ length: EXPORTS_MAX / 2 }, (_, at) => at);
const LONG = 'ü'.repeat(250);
const ATTRIBUTES = Object.fromEntries(Array.from({ length: 18 }, (_, at) => [`a${at}`, LONG]));
/** Of a tenant, as many as it leaves to others. */
const OWN_WAITING = 16;
/** Of 10 KB each: fewer and larger ones are imported faster. */
const RECORDS = 1_000;
const RECORD_BYTES = 10_000;
const LAST = `e-${String(RECORDS - 1).padStart(6, '0')}`;

/** Enough records that an export does not fit into the buffers between service and client. */
async function importMany({ importRecords }: TestApi, token?: string): Promise<void> {
  const records = (from: number) =>
    Array.from({ length: 200 }, (_, at) => ({
      kind: 'entitlement',
      id: `e-${String(from + at).padStart(6, '0')}`,
      name: LONG,
      source: LONG,
      attributes: ATTRIBUTES,
    }));
  for (let from = 0; from < RECORDS; from += 200) expect((await importRecords(records(from), token)).status).toBe(200);
}

/** Serves the app without the limits that reset connections of slow readers. Returns the port. */
const listenPatiently = ({ app }: TestApi) =>
  listen(app, { limits: { stalledChecksMax: Number.POSITIVE_INFINITY, rateChecks: Number.POSITIVE_INFINITY } });

/** Asks for an export and reads the head of the answer only; resolves with the status and the socket. */
async function openSlowly(port: number, path: string, credentials: string): Promise<readonly [number, Socket]> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${credentials}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  socket.pause();
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(String(head))?.[1]), socket];
}

const bearer = (token: string) => `Authorization: Bearer ${token}`;

/** The snapshots that are open, and that ever were. */
function countSnapshots({ store }: TestApi) {
  const counts = { open: 0, all: 0 };
  const { export: exportAll } = store.accessModel;
  Object.assign(store.accessModel, {
    export: async function* (tenant: string) {
      counts.open += 1;
      counts.all += 1;
      try {
        yield* exportAll(tenant);
      } finally {
        counts.open -= 1;
      }
    },
  });
  return counts;
}

describe('slow exports of one tenant', () => {
  test('take half of the slots, wait for each other, and leave other tenants theirs', async () => {
    const api = await openTestApi();
    const other = await api.clientToken({ tenant: 'other' });
    await importMany(api);
    await api.importRecords([{ kind: 'entitlement', id: 'e', name: 'E', source: 'S' }], other);
    const counts = countSnapshots(api);
    const port = await listenPatiently(api);
    const token = await api.rootToken();
    const slow = await Promise.all(OWN_SLOTS.map((at) => openSlowly(port, PATHS[at % 2] ?? EXPORT, bearer(token))));
    expect(slow.map(([status]) => status)).toEqual(OWN_SLOTS.map(() => 200));
    const waiting = api.call('GET', EXPORT);
    for (const path of PATHS) expect((await api.call('GET', path, { token: other })).status).toBe(200);
    expect(counts).toMatchObject({ open: OWN_SLOTS.length / 2, all: OWN_SLOTS.length / 2 + 1 });
    slow[0]?.[1].destroy();
    expect((await waiting).status).toBe(200);
  });

  test('are reset when nothing of them is read, and free their snapshots and slots', async () => {
    const api = await openTestApi();
    await importMany(api);
    const counts = countSnapshots(api);
    const port = await listen(api.app, { limits: { checkEveryMs: 100, stalledChecksMax: 2 } });
    const token = await api.rootToken();
    const slow = await Promise.all(OWN_SLOTS.map(() => openSlowly(port, EXPORT, bearer(token))));
    expect(slow.map(([status]) => status)).toEqual(OWN_SLOTS.map(() => 200));
    expect(counts.open).toBe(OWN_SLOTS.length);
    await expect.poll(() => counts.open).toBe(0);
    const held = async () =>
      /^access_admin_semaphore_held\{semaphore="exports"\} (\d+)$/m.exec((await api.metrics.render()).text);
    await expect.poll(async () => (await held())?.[1]).toBe('0');
    for (const [, socket] of slow) {
      socket.resume();
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
      expect(socket.bytesRead).toBeLessThan(RECORDS * RECORD_BYTES);
    }
    expect((await api.call('GET', EXPORT)).status).toBe(200);
  });
});

test('a slow export does not keep its session alive', async () => {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  await importMany(api);
  const counts = countSnapshots(api);
  const port = await listenPatiently(api);
  const { cookie } = await openSession(api, 'i-ada');
  const touch = vi.spyOn(api.store.sessions, 'touch');
  const find = vi.spyOn(api.store.sessions, 'find');
  const [status] = await openSlowly(port, EXPORT, `Cookie: ${cookie}`);
  expect([status, counts.open]).toEqual([200, 1]);
  const { length } = find.mock.calls;
  api.clock.nowMs += 10 * 60_000;
  await expect.poll(() => find.mock.calls.length, { timeout: 6_000 }).toBeGreaterThan(length);
  expect(touch).not.toHaveBeenCalled();
  api.clock.nowMs += 5 * 60_000;
  await expect.poll(() => counts.open, { timeout: 6_000 }).toBe(0);
});

test.for([
  [
    'its client is deleted',
    (api: TestApi, token: string, id: string) => api.call('DELETE', `/oauth-clients/v1/${id}`, { token }),
  ],
  [
    'its client loses the scope',
    (api: TestApi, token: string, id: string) =>
      api.call('PATCH', `/oauth-clients/v1/${id}`, {
        token,
        body: [{ op: 'replace', path: '/scopes', value: ['audit-events:read'] }],
      }),
  ],
  [
    'its identity loses the capability',
    (api: TestApi, token: string) => api.importRecords([{ ...WORLD[6], capabilities: [] }], token),
  ],
] as const)('a slow export whose token has expired is reset when %s', async ([, revoke]) => {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  await importMany(api);
  const counts = countSnapshots(api);
  const port = await listenPatiently(api);
  const body = { name: 'c', scopes: ['access-model:read', 'audit-events:read'], identityId: 'i-ada' };
  const { id, secret } = (await api.call('POST', '/oauth-clients/v1', { body })).json;
  const [status] = await openSlowly(port, EXPORT, bearer(await api.tokenFor(id, secret)));
  expect([status, counts.open]).toEqual([200, 1]);
  api.clock.nowMs += 15 * 60_000;
  const token = await api.tokenFor('root', 'root secret%');
  await revoke(api, token, id);
  await expect.poll(() => counts.open, { timeout: 6_000 }).toBe(0);
});

test('a slow export is reset when its caller loses the rights, and not when its token expires', async () => {
  const api = await openTestApi();
  await importMany(api);
  const counts = countSnapshots(api);
  const port = await listenPatiently(api);
  const body = { name: 'c', scopes: ['access-model:read'] };
  const clients = [
    await api.call('POST', '/oauth-clients/v1', { body }),
    await api.call('POST', '/oauth-clients/v1', { body }),
  ].map(({ json }) => json);
  const openAs = async ({ id, secret }: (typeof clients)[number]) => {
    const [status, socket] = await openSlowly(port, EXPORT, bearer(await api.tokenFor(id, secret)));
    expect(status).toBe(200);
    return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
  };
  const expired = await openAs(clients[0]);
  api.clock.nowMs += 15 * 60_000;
  const lost = await openAs(clients[1]);
  const token = await api.tokenFor('root', 'root secret%');
  await api.call('DELETE', `/oauth-clients/v1/${clients[1].id}`, { token });
  // The rights of both are looked at every four seconds, and those of the former first.
  await expect.poll(() => counts.open, { timeout: 6_000 }).toBe(1);
  lost.socket.resume();
  await lost.closed;
  let text = '';
  expired.socket.on('data', (chunk) => {
    text = text.slice(-2 * RECORD_BYTES) + String(chunk);
  });
  expired.socket.resume();
  await expect.poll(() => text).toContain(LAST);
});

test('an export of violations closes its snapshot when its reader leaves', async () => {
  const api = await openTestApi();
  let closed = 0;
  async function* endless() {
    for (;;) yield { id: LONG };
  }
  Object.assign(api.store.violations, {
    export: async () => ({
      asOf: null,
      violations: endless(),
      [Symbol.asyncDispose]: async () => {
        closed += 1;
      },
    }),
  });
  const port = await listenPatiently(api);
  const [status, socket] = await openSlowly(port, '/violations/v1/export', bearer(await api.rootToken()));
  expect([status, closed]).toEqual([200, 0]);
  socket.destroy();
  await expect.poll(() => closed).toBe(1);
});

test('an export that is read slowly is as of its beginning', async () => {
  const api = await openTestApi();
  await importMany(api);
  const counts = countSnapshots(api);
  const port = await listenPatiently(api);
  const [, socket] = await openSlowly(port, EXPORT, bearer(await api.rootToken()));
  expect(counts.open).toBe(1);
  await api.importRecords([
    { kind: 'entitlement', id: 'e-000001', name: 'changed', source: 'S' },
    { kind: 'entitlement', id: LAST, delete: true },
  ]);
  let text = '';
  let lines = 0;
  socket.on('data', (chunk) => {
    text = text.slice(-2 * RECORD_BYTES) + String(chunk);
    lines += String(chunk).split('"kind":"entitlement"').length - 1;
    if (text.includes('changed')) lines = Number.NaN;
  });
  socket.resume();
  await expect.poll(() => text.includes(LAST)).toBe(true);
  // Records that a chunk or the head of the answer cuts are not counted.
  expect(lines).toBeGreaterThan(0.95 * RECORDS);
});

test('an export that finds too many waiting is refused, and says how long to wait, in one log line', async () => {
  const api = await openTestApi();
  const gate = Promise.withResolvers<void>();
  const { export: exportAll } = api.store.accessModel;
  Object.assign(api.store.accessModel, {
    export: async function* (tenant: string) {
      await gate.promise;
      yield* exportAll(tenant);
    },
  });
  const refusals = () => api.lines.filter(({ fields }) => fields['status'] === 503).length;
  await api.rootToken();
  const answers = Array.from({ length: OWN_SLOTS.length + OWN_WAITING + 1 }, () => api.call('GET', EXPORT));
  await expect.poll(refusals).toBe(1);
  gate.resolve();
  const [refused, ...others] = (await Promise.all(answers)).filter(({ status }) => status === 503);
  expect([refused?.headers.get('retry-after'), refused?.json.detailCode, others]).toEqual(['1', '503', []]);
  expect(refused?.json.causes[0].text).toContain('Too many exports');
  expect(refusals()).toBe(1);
});

test('HEAD leaves nothing behind', async () => {
  const api = await openTestApi();
  await importMany(api);
  const counts = countSnapshots(api);
  const url = `http://127.0.0.1:${await listen(api.app)}${EXPORT}`;
  const headers = { authorization: `Bearer ${await api.rootToken()}` };
  for (let at = 0; at < EXPORTS_MAX; at++) expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(200);
  await expect.poll(() => counts.open).toBe(0);
});
