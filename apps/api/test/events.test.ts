import { once } from 'node:events';
import { connect } from 'node:net';
import { EVENT_STREAMS_MAX, wireTypeOf } from '@access-admin/contract';
import { EVENT_TYPE_NAMES, newEvent } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CONNECTION_LIMITS } from '../src/server/serve.ts';
import { listen } from './listen.ts';
import { openTestApi, type TestApi } from './test-api.ts';

const RECORDS = [
  { kind: 'entitlement', id: 'e-1', name: 'One' },
  { kind: 'entitlement', id: 'e-2', name: 'Two' },
  { kind: 'identityProfile', id: 'ip', name: 'All' },
  { kind: 'identity', id: 'i-1', uid: 'ada', identityProfile: 'ip', capabilities: ['ORG_ADMIN'], access: [] },
  { kind: 'identity', id: 'i-2', uid: 'bob', identityProfile: 'ip', capabilities: ['POLICY_ADMIN'], access: [] },
];
const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id }] });
const POLICY = {
  id: 'p-1',
  name: 'A policy',
  conflictingAccessCriteria: { leftCriteria: side('e-1'), rightCriteria: side('e-2') },
};

const padded = (sequence: number) => String(sequence).padStart(20, '0');
const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const relabel = (api: TestApi, usernameLabel: string) =>
  api.call('PUT', '/ui-metadata/v1/tenant', { headers: { 'x-service-experimental': 'true' }, body: { usernameLabel } });

interface OpenStream {
  /** The text so far has this. */
  until(text: string): Promise<string>;
  /** The whole text, once the stream has ended. */
  readonly ended: Promise<string>;
  readonly status: number;
  readonly headers: Headers;
}

async function openStream(api: TestApi, path = '', headers: Record<string, string> = {}): Promise<OpenStream> {
  const token = headers['authorization'] === undefined ? { authorization: `Bearer ${await api.rootToken()}` } : {};
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await api.send(`/events/v1${path}`, {
    headers: { accept: 'text/event-stream', ...token, ...headers },
    signal: leaving.signal,
  });
  let text = '';
  let wake = () => {};
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      wake();
    }
    return text;
  };
  const ended = read();
  ended.catch(() => {});
  const until = async (part: string) => {
    while (!text.includes(part)) await new Promise<void>((resolve) => (wake = resolve));
    return text;
  };
  return { until, ended, status: response.status, headers: response.headers };
}

const idsOf = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

/** A stream over a socket whose reader takes only the first bytes. */
async function openBlockedStream(limits: Partial<typeof CONNECTION_LIMITS> = {}) {
  const api = await openTestApi();
  const created = await api.call('POST', '/oauth-clients/v1', {
    body: { name: 'c', scopes: ['events:read', 'ui-metadata:read'] },
  });
  const token = await api.tokenFor(created.json.id, created.json.secret);
  // More than the system keeps for a connection.
  const large = Array.from({ length: 200 }, (_, at) =>
    newEvent('ui-metadata.changed', 'tenant', { time: `${at}`, data: { usernameLabel: 'x'.repeat(200_000) } }),
  );
  const range = { oldest: 1, last: 200 };
  const read = vi.spyOn(api.store.events, 'read').mockImplementation(async (_, { after = 0 }) => {
    const events = large
      .slice(after, after + 5)
      .map((event, at) => ({ ...event, data: event.data ?? '', id: 'x', sequence: after + at + 1 }));
    return { events, range, through: Math.min(after + 5, 200), isGone: false };
  });
  const connections: string[] = [];
  const metrics = { countConnection: (event: string) => void connections.push(event) };
  const port = await listen(api.app, { metrics, limits });
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = ['GET /events/v1 HTTP/1.1', 'Host: x', 'Accept: text/event-stream', `Authorization: Bearer ${token}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  // The service has read events that the connection does not take.
  let reads = 0;
  const hasStopped = () => {
    const before = reads;
    reads = read.mock.calls.length;
    return reads > 0 && reads === before;
  };
  await expect.poll(hasStopped, { interval: 100 }).toBe(true);
  expect(reads).toBeLessThan(40);
  return { api, clientId: created.json.id, connections };
}

/** A stream over a socket: the head of the answer, and what comes after it. */
async function openOverSocket(api: TestApi, port: number, protocol = 'HTTP/1.1') {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const authorization = `Authorization: Bearer ${await api.rootToken()}`;
  const head = [`GET /events/v1 ${protocol}`, 'Host: x', 'Accept: text/event-stream', authorization];
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await expect.poll(() => text).toContain(': events');
  const [fields = ''] = text.split('\r\n\r\n');
  const headers = fields.split('\r\n').slice(1);
  return {
    socket,
    text: () => text,
    headersOf: (name: string) =>
      headers.filter((line) => line.toLowerCase().startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)),
  };
}

describe('a page of events', () => {
  test('has CloudEvents with the resources as their reads show them', async () => {
    const api = await openTestApi();
    await api.importRecords(RECORDS);
    const policy = await api.call('POST', '/sod-policies/v1', { body: POLICY });
    const answer = await api.call('GET', '/events/v1');
    expect(answer.status).toBe(200);
    expect(typesOf(answer.json)).toEqual([
      wireTypeOf('access-model.imported'),
      wireTypeOf('auth-profile.changed'),
      wireTypeOf('auth-user.capabilities-changed'),
      wireTypeOf('auth-user.capabilities-changed'),
      wireTypeOf('sod.policy.created'),
    ]);
    expect(answer.json.at(-1)).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: 'http://127.0.0.1:8080',
      type: 'org.access-admin.sod.policy.created.v1',
      subject: '/sod-policies/v1/p-1',
      time: '2026-11-21T09:30:00.000Z',
      datacontenttype: 'application/json',
      dataschema: 'http://127.0.0.1:8080/openapi.json#/components/schemas/SodPolicy',
      sequence: padded(5),
      data: policy.json,
    });
    for (const { subject, data } of answer.json.slice(1, 2))
      expect((await api.call('GET', subject, { headers: { 'x-service-experimental': 'true' } })).json).toEqual(data);
    expect(answer.headers.get('x-last-sequence')).toBe(padded(5));
    expect(answer.headers.get('x-oldest-sequence')).toBe(padded(1));
  });

  test('is NDJSON where Accept asks for it, and goes on after any sequence', async () => {
    const api = await openTestApi();
    await api.importRecords(RECORDS);
    const accept = (type: string, query = '') => api.call('GET', `/events/v1${query}`, { headers: { accept: type } });
    const lines = await accept('application/x-ndjson', '?after=2&limit=1');
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
    const array = await accept('application/json', `?after=${padded(2)}&limit=1`);
    expect(array.headers.get('content-type')).toBe('application/json');
    expect(lines.text).toBe(`${JSON.stringify(array.json[0])}\n`);
    expect([array.json[0].sequence, array.headers.get('x-last-sequence')]).toEqual([padded(3), padded(3)]);
    const both = await accept('text/html, application/json;q=0.4, application/x-ndjson;q=0.8', '?after=4');
    expect([both.status, both.headers.get('content-type'), both.text]).toEqual([200, 'application/x-ndjson', '']);
    expect((await accept('*/*', '?after=4')).text).toBe('[]');
  });

  test('has the types that patterns name, and tells up to where it has looked', async () => {
    const api = await openTestApi();
    await api.importRecords(RECORDS);
    const page = async (query: string) => {
      const { json, headers } = await api.call('GET', `/events/v1?types=${query}`);
      return [json.length, headers.get('x-last-sequence')];
    };
    expect(await page('auth-user.*')).toEqual([2, padded(4)]);
    expect(await page('auth-user.*&limit=1')).toEqual([1, padded(3)]);
    expect(await page('sod.policy.*,access-model.imported&after=1')).toEqual([0, padded(4)]);
  });

  test.each([
    ['types=nothing', 'types'],
    ['types=', 'types'],
    ['types=*&types=*', 'types'],
    ['after=-1', 'after'],
    ['after=x', 'after'],
    ['after=1&after=2', 'after'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
  ])('%s is refused by name', async (query, name) => {
    const api = await openTestApi();
    const { status, json } = await api.call('GET', `/events/v1?${query}`);
    expect([status, json.detailCode]).toEqual([400, '400.1.3']);
    expect(json.causes[0].text).toContain(name);
  });

  test('that would go on where nothing is kept is answered with 410', async () => {
    const api = await openTestApi();
    await relabel(api, 'a');
    await relabel(api, 'b');
    const goOn = async (after: string) => {
      const { status, json, headers } = await api.call('GET', `/events/v1?after=${after}`);
      return [status, json.detailCode, headers.get('x-oldest-sequence'), headers.get('x-last-sequence')];
    };
    expect(await goOn('3')).toEqual([410, '410', padded(1), padded(2)]);
    expect(await goOn('9'.repeat(20))).toEqual([410, '410', padded(1), padded(2)]);
    await api.store.events.removeExpired({ before: '2027-01-01T00:00:00.000Z', now: '2027-02-01T00:00:00.000Z' });
    await relabel(api, 'c');
    expect(await goOn('1')).toEqual([410, '410', padded(3), padded(3)]);
    expect((await openStream(api, '?after=1')).status).toBe(410);
    const { json } = await api.call('GET', '/events/v1');
    expect(json.map(({ sequence }: { readonly sequence: string }) => sequence)).toEqual([padded(3)]);
  });

  test('lacks no event that is removed while it is read', async () => {
    const api = await openTestApi();
    for (const label of ['a', 'b', 'c']) await relabel(api, label);
    const { readAt } = api.store.events;
    const lose = (count: number) =>
      vi.spyOn(api.store.events, 'readAt').mockImplementationOnce(async function* (tenant, places) {
        for await (const event of readAt(tenant, places.slice(count))) yield event;
      });
    lose(1);
    const { status, json } = await api.call('GET', '/events/v1?after=0');
    expect([status, json.detailCode]).toEqual([410, '410']);
    lose(1);
    expect((await api.call('GET', '/events/v1')).json).toHaveLength(3);
    vi.spyOn(api.store.events, 'readAt').mockImplementationOnce(async function* (tenant, places) {
      yield* readAt(tenant, places.slice(0, 2));
    });
    expect((await api.call('GET', '/events/v1?after=0')).status).toBe(503);
    expect(api.lines.at(-1)?.fields).toMatchObject({ reason: 'Events of a page were removed while it was sent.' });
  });

  test('waits for the next event, and no longer than it is asked to', async () => {
    const api = await openTestApi();
    const waiting = api.call('GET', '/events/v1?types=ui-metadata.*', { headers: { prefer: 'wait=30' } });
    await api.importRecords(RECORDS);
    await relabel(api, 'a');
    expect(typesOf((await waiting).json)).toEqual([wireTypeOf('ui-metadata.changed')]);
    const late = await api.call('GET', '/events/v1?types=sod.*&after=1', { headers: { prefer: 'wait=1' } });
    expect([late.status, late.text, late.headers.get('x-last-sequence')]).toEqual([200, '[]', padded(5)]);
  });

  test('has only what the caller may read', async () => {
    const api = await openTestApi();
    await api.importRecords(RECORDS);
    await api.call('POST', '/sod-policies/v1', { body: POLICY });
    const typesFor = async (client: Parameters<TestApi['clientToken']>[0]) => {
      const { json } = await api.call('GET', '/events/v1', { token: await api.clientToken(client) });
      return [...new Set(typesOf(json))];
    };
    expect(await typesFor({ scopes: ['events:read'] })).toEqual([]);
    expect(await typesFor({ scopes: ['events:read', 'sod-policies:read'] })).toEqual([
      wireTypeOf('sod.policy.created'),
    ]);
    expect(await typesFor({ identityId: 'i-2' })).toEqual([wireTypeOf('sod.policy.created')]);
    const refused = await api.call('GET', '/events/v1', {
      token: await api.clientToken({ scopes: ['sod-policies:read'] }),
    });
    expect(refused.status).toBe(403);
  });
});

describe('a stream of events', () => {
  test('has what was and what comes, and resumes after the last id', async () => {
    const api = await openTestApi();
    await relabel(api, 'a');
    const stream = await openStream(api);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    await stream.until('"usernameLabel":"a"');
    await relabel(api, 'b');
    const text = await stream.until('"usernameLabel":"b"');
    expect(idsOf(text)).toEqual([1, 2]);
    const [data = ''] = /^data: (.*)$/m.exec(text)?.slice(1) ?? [];
    expect(JSON.parse(data)).toMatchObject({ sequence: padded(1), type: wireTypeOf('ui-metadata.changed') });
    const resumed = await openStream(api, '?after=0', { 'last-event-id': padded(1) });
    expect(idsOf(await resumed.until('"usernameLabel":"b"'))).toEqual([2]);
    api.stopping.abort();
    expect(idsOf(await stream.ended)).toEqual([1, 2]);
  });

  test('has a comment where nothing happens, with the sequence up to which it has looked', async () => {
    const api = await openTestApi();
    await relabel(api, 'a');
    const stream = await openStream(api, '?types=sod.*');
    await stream.until(': events\n\n');
    await relabel(api, 'b');
    api.clock.nowMs += 15_000;
    expect(idsOf(await stream.until('id: '))).toEqual([2]);
  });

  test('that is told nothing of an event costs no read of its own', async () => {
    const api = await openTestApi();
    await api.importRecords(RECORDS);
    await relabel(api, 'a');
    const find = vi.spyOn(api.store.events, 'find');
    const read = vi.spyOn(api.store.events, 'read');
    const others = await Promise.all(Array.from({ length: 20 }, () => openStream(api, '?types=sod.*')));
    for (const stream of others) await stream.until(': events');
    const stream = await openStream(api);
    await stream.until('"usernameLabel":"a"');
    read.mockClear();
    find.mockClear();
    for (const name of ['b', 'c', 'd']) {
      await relabel(api, name);
      await stream.until(`"usernameLabel":"${name}"`);
    }
    expect(read).toHaveBeenCalledTimes(3);
    // One look for all of the tenant's streams after each commit.
    expect(find.mock.calls.length).toBeLessThan(10);
    await api.call('POST', '/sod-policies/v1', { body: POLICY });
    for (const told of others) expect(idsOf(await told.until('sod.policy.created'))).toHaveLength(1);
  });

  test('ends after an hour', async () => {
    const api = await openTestApi();
    const forever = await api.tokenFor('root', 'root secret%');
    const stream = await openStream(api, '', { authorization: `Bearer ${forever}` });
    await stream.until(': events');
    api.clock.nowMs += 3_600_000;
    await stream.ended;
  });

  test('ends with its token, its client and the rights of its identity', async () => {
    const api = await openTestApi();
    await api.importRecords(RECORDS);
    const created = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['events:read'] } });
    const own = await api.tokenFor(created.json.id, created.json.secret);
    const demoted = await api.clientToken({ identityId: 'i-2' });
    const expiring = await api.clientToken();
    const streams = await Promise.all(
      [own, demoted, expiring].map((token) => openStream(api, '?after=4', { authorization: `Bearer ${token}` })),
    );
    for (const stream of streams) await stream.until(': events');
    await api.call('DELETE', `/oauth-clients/v1/${created.json.id}`);
    await streams[0]?.ended;
    await api.call('PATCH', '/auth-users/v1/i-2', { body: [{ op: 'remove', path: '/capabilities' }] });
    await streams[1]?.ended;
    api.clock.nowMs += 15 * 60_000;
    await streams[2]?.ended;
  });

  test('shows nothing that the caller may no longer read, some seconds after the change', async () => {
    const api = await openTestApi();
    await api.importRecords(RECORDS);
    const created = await api.call('POST', '/oauth-clients/v1', {
      body: { name: 'c', scopes: ['events:read', 'ui-metadata:read', 'sod-policies:read'] },
    });
    const token = await api.tokenFor(created.json.id, created.json.secret);
    const stream = await openStream(api, '', { authorization: `Bearer ${token}` });
    await relabel(api, 'a');
    await stream.until('"usernameLabel":"a"');
    await api.call('PATCH', `/oauth-clients/v1/${created.json.id}`, {
      body: [{ op: 'replace', path: '/scopes', value: ['events:read', 'sod-policies:read'] }],
    });
    await api.call('POST', '/sod-policies/v1', { body: POLICY });
    let number = 0;
    const showsLabel = async () => {
      number += 1;
      await relabel(api, `b-${number}`);
      const description = `Changed ${number} times`;
      await api.call('PATCH', `/sod-policies/v1/${POLICY.id}`, {
        body: [{ op: 'replace', path: '/description', value: description }],
      });
      return (await stream.until(description)).includes(`"usernameLabel":"b-${number}"`);
    };
    await expect.poll(showsLabel).toBe(false);
  });

  test('ends with its rights, although its reader takes nothing of what waits for it', async () => {
    const { api, clientId, connections } = await openBlockedStream({ stalledChecksMax: Number.POSITIVE_INFINITY });
    await api.call('DELETE', `/oauth-clients/v1/${clientId}`);
    await expect.poll(() => connections).toContain('closed');
  });

  test('has the headers of every answer, and one log line when it ends', async () => {
    const api = await openTestApi();
    await relabel(api, 'a');
    const { socket, headersOf } = await openOverSocket(api, await listen(api.app));
    const [trackingId = ''] = headersOf('x-request-id');
    expect(trackingId).toMatch(/^[0-9a-f]{32}$/);
    expect(headersOf('content-type')).toEqual(['text/event-stream']);
    expect(headersOf('cache-control')).toEqual(['no-store']);
    expect(headersOf('x-accel-buffering')).toEqual(['no']);
    expect(headersOf('x-content-type-options')).toEqual(['nosniff']);
    expect([headersOf('x-oldest-sequence'), headersOf('x-last-sequence')]).toEqual([[padded(1)], [padded(1)]]);
    expect(headersOf('transfer-encoding')).toEqual(['chunked']);
    expect(headersOf('connection')).toEqual(['keep-alive']);
    const linesOfStream = () => api.lines.filter(({ fields }) => fields['trackingId'] === trackingId);
    expect(linesOfStream()).toEqual([]);
    api.stopping.abort();
    await expect.poll(linesOfStream).toHaveLength(1);
    expect(linesOfStream()[0]?.fields).toMatchObject({ operation: 'list-events-v1', status: 200 });
    socket.destroy();
  });

  test('is plain text for a client of HTTP/1.0', async () => {
    const api = await openTestApi();
    const { headersOf, text } = await openOverSocket(api, await listen(api.app), 'HTTP/1.0');
    expect(headersOf('transfer-encoding')).toEqual([]);
    expect(text()).toMatch(/\r\n\r\n: events\n\n$/);
  });

  test('is not begun for HEAD, which has its headers', async () => {
    const api = await openTestApi();
    const read = vi.spyOn(api.store.events, 'read');
    for (let count = 0; count < EVENT_STREAMS_MAX; count++) {
      const answer = await api.call('HEAD', '/events/v1', { headers: { accept: 'text/event-stream' } });
      expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([200, 'text/event-stream', '']);
    }
    expect(read).not.toHaveBeenCalled();
  });

  test('that fails is reset, and the log says why', async () => {
    const api = await openTestApi();
    const { socket, text } = await openOverSocket(api, await listen(api.app));
    const failed = once(socket, 'error');
    vi.spyOn(api.store.events, 'read').mockRejectedValue(new StorageUnavailable('away for a test'));
    await relabel(api, 'a');
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(text()).not.toContain('away for a test');
    expect(text()).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(api.lines.map(({ message }) => message)).toContain('StorageUnavailable');
  });

  test('may last longer than other answers may', async () => {
    const api = await openTestApi();
    Object.assign(api.store.audit, {
      async *export() {
        yield { text: 'x'.repeat(100_000) };
        await new Promise(() => {});
      },
    });
    const port = await listen(api.app, { limits: { checkEveryMs: 20, answerChecksMax: 3 } });
    const stream = await openOverSocket(api, port);
    const headers = { authorization: `Bearer ${await api.rootToken()}` };
    const slow = await fetch(`http://127.0.0.1:${port}/audit-events/v1/export`, { headers });
    await expect(slow.text()).rejects.toThrow();
    await relabel(api, 'a');
    await expect.poll(stream.text).toContain('"usernameLabel":"a"');
  });

  test('is cut off by the limit of streamed answers when its reader takes nothing', async () => {
    const { connections } = await openBlockedStream({ stalledChecksMax: 1 });
    await expect.poll(() => connections).toContain('cut');
  });

  test('finds room that other tenants leave: 429 for more of a tenant than that, 503 where others take all', async () => {
    const api = await openTestApi();
    await relabel(api, 'a');
    const leaving = new AbortController();
    const openAs = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
      return (await api.send('/events/v1', { headers, signal: leaving.signal })).status;
    };
    const fill = async (token: string) => {
      for (let count = 0; ; count++) {
        const status = await openAs(token);
        if (status !== 200) return { count, status };
      }
    };
    const tokenOf = (tenant: string) => api.clientToken({ tenant, scopes: ['events:read'] });
    const [first, ...others] = await Promise.all(['one', 'two', 'three'].map(tokenOf));
    expect(await fill(first ?? '')).toEqual({ count: EVENT_STREAMS_MAX / 2, status: 429 });
    let taken = EVENT_STREAMS_MAX / 2;
    for (const token of others) {
      const { count, status } = await fill(token);
      expect(status).toBe(429);
      taken += count;
    }
    let last = 0;
    for (let tenant = 0; last !== 503; tenant++) {
      last = await openAs(await tokenOf(`t-${tenant}`));
      if (last === 200) taken += 1;
    }
    expect(taken).toBe(EVENT_STREAMS_MAX);
    leaving.abort();
    expect(await openAs(first ?? '')).not.toBe(503);
  });
});

test('every type of event has a schema of its data in the table, and a name on the wire', () => {
  expect(new Set(EVENT_TYPE_NAMES.map(wireTypeOf)).size).toBe(EVENT_TYPE_NAMES.length);
});
