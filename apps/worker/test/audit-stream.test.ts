import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent } from '@access-admin/domain';
import { createScheduler } from '@access-admin/scheduling';
import type { Store } from '@access-admin/store';
import { expect, onTestFinished, test } from 'vitest';
import { openAuditStream } from '../src/audit-stream/open.ts';
import { type AuditLine, type AuditSink, openAuditSink } from '../src/audit-stream/sink.ts';
import { createAuditStreamWork } from '../src/audit-stream/work.ts';
import { driveLoop, LEASE_MS, START_MS } from './drive-loop.ts';
import { openSampleStore } from './sample-store.ts';

const DENIAL = {
  tenant: 'acme',
  actor: { clientId: 'c-1', identityId: null },
  operation: 'get-identity-v1',
  time: '2026-03-01T12:00:00.000Z',
  trackingId: '0'.repeat(32),
};

/** Denials of a tenant, one event each. */
async function deny(store: Store, count: number, tenant = 'acme'): Promise<void> {
  for (let at = 0; at < count; at++)
    await store.audit.recordDenial({ ...DENIAL, tenant }, { type: 'IDENTITY', id: `i-${at}` });
}

async function eventsOf(store: Store, tenant = 'acme'): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = [];
  for await (const event of store.audit.export(tenant)) events.push(event);
  return events;
}

/** A worker that streams to a sink, with a clock that only the test moves. */
async function openWorld(sink: AuditSink, formatEvent: (event: AuditEvent) => string = JSON.stringify) {
  const sample = await openSampleStore();
  const { store } = sample;
  const clock = { nowMs: START_MS };
  const start = () => {
    let workedMs = 0;
    const busyMs = () => ++workedMs;
    const work = createAuditStreamWork({
      auditStream: store.auditStream,
      sink,
      formatEvent,
      leaseMs: LEASE_MS,
      log: { error: () => {} },
      onJobEnd: () => {},
      now: () => clock.nowMs,
      busyMs,
      yieldIfDue: createScheduler({ elapsed: busyMs, dueAfterMs: 5 }).yieldIfDue,
    });
    return driveLoop(store, clock, { auditLogs: { work, close: sink.close } });
  };
  const loop = start();
  onTestFinished(async () => {
    loop.stop();
    await loop.ended;
    await sample[Symbol.asyncDispose]();
  });
  return { store, clock, loop };
}

/** A sink that keeps what it takes; `fail` makes the next writes fail after they were taken. */
function createMemorySink() {
  const taken: AuditLine[] = [];
  let failures = 0;
  return {
    taken,
    failNext: (count: number) => {
      failures = count;
    },
    sequencesOf: (tenant: string) =>
      taken.map(({ event }) => event).flatMap((event) => (event.tenant === tenant ? event.sequence : [])),
    sink: {
      write: async (lines: readonly AuditLine[]) => {
        taken.push(...lines);
        if (failures === 0) return;
        failures -= 1;
        throw new Error('away');
      },
      close: async () => {},
    },
  };
}

test('each event is written once, in the order of its tenant, also those from before the stream', async () => {
  const memory = createMemorySink();
  const { store, loop } = await openWorld(memory.sink);
  await expect.poll(() => memory.taken.length).toBeGreaterThan(0);
  await deny(store, 3);
  await deny(store, 2, 'other');
  loop.wake();
  await expect.poll(() => memory.sequencesOf('other').length).toBe(2);
  await loop.idle();
  const acme = await eventsOf(store);
  const other = await eventsOf(store, 'other');
  expect(acme.length).toBeGreaterThan(3);
  expect(memory.taken.filter(({ event }) => event.tenant === 'acme').map(({ text }) => JSON.parse(text))).toEqual(acme);
  expect(memory.sequencesOf('other')).toEqual(other.map(({ sequence }) => sequence));
});

test('after a failure the events are written again from the cursor on, and none is left out', async () => {
  const memory = createMemorySink();
  const { store, clock, loop } = await openWorld(memory.sink);
  const { length: before } = await eventsOf(store);
  await expect.poll(() => memory.taken.length).toBe(before);
  await loop.idle();
  memory.failNext(2);
  await deny(store, 1);
  const writtenAgain = () => {
    clock.nowMs += 6_000;
    loop.wake();
    loop.resume();
    return memory.sequencesOf('acme').slice(before);
  };
  await expect.poll(writtenAgain).toEqual([before + 1, before + 1, before + 1]);
  await deny(store, 1);
  await expect.poll(writtenAgain).toEqual([before + 1, before + 1, before + 1, before + 2]);
});

test('a file has a line for each event, and a new one after its rotation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'audit-stream-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'audit.ndjson');
  let reopen = () => {};
  const sink = openAuditSink(
    { kind: 'file', path },
    {
      onReopen: (listener) => {
        reopen = listener;
      },
      onTooLarge: () => {},
    },
  );
  const { store, loop } = await openWorld(sink);
  const linesIn = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).split('\n').length - 1;
  const { length: before } = await eventsOf(store);
  await expect.poll(() => linesIn(path)).toBe(before);
  await loop.idle();
  await rename(path, `${path}.1`);
  reopen();
  await deny(store, 1);
  loop.wake();
  await expect.poll(() => linesIn(path)).toBe(1);
  const lines = (await Promise.all([`${path}.1`, path].map((file) => readFile(file, 'utf8')))).map((text) =>
    text.trimEnd().split('\n'),
  );
  expect(lines[1]).toHaveLength(1);
  expect(lines.flat().map((line) => JSON.parse(line))).toEqual(await eventsOf(store));
});

test('a line that was cut off is ended before the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'audit-stream-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'audit.ndjson');
  await writeFile(path, '{"cut":');
  const sink = openAuditSink({ kind: 'file', path }, { onReopen: () => {}, onTooLarge: () => {} });
  const line = (sequence: number) => [{ event: event(sequence, {}), text: `${sequence}` }];
  await Promise.all([1, 2, 3].map((sequence) => sink.write(line(sequence))));
  await sink.close();
  expect(await readFile(path, 'utf8')).toBe('{"cut":\n1\n2\n3\n');
});

test('an event that a datagram has no room for is told and left out', async () => {
  const received: string[] = [];
  const socket = createSocket('udp4', (message) => received.push(message.toString()));
  onTestFinished(() => {
    socket.close();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const tooLarge: number[] = [];
  const sink = openAuditSink(
    { kind: 'syslog', transport: 'udp', host: '127.0.0.1', port },
    { onReopen: () => {}, onTooLarge: ({ sequence }) => tooLarge.push(sequence) },
  );
  await sink.write([
    { event: event(1, {}), text: 'x'.repeat(70_000) },
    { event: event(2, {}), text: '{}' },
  ]);
  await expect.poll(() => received.length).toBe(1);
  expect(tooLarge).toEqual([1]);
  await sink.close();
});

test('a receiver over TCP gets messages of RFC 5424, each after its length', async () => {
  const chunks: Buffer[] = [];
  const server = createServer((socket) => socket.on('data', (chunk) => chunks.push(chunk))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sink = openAuditSink(
    { kind: 'syslog', transport: 'tcp', host: '127.0.0.1', port },
    { onReopen: () => {}, onTooLarge: () => {} },
  );
  onTestFinished(() => {
    server.close();
  });
  const { store, loop } = await openWorld(sink);
  await deny(store, 1);
  loop.wake();
  const events = await eventsOf(store);
  await expect.poll(() => messagesOf(Buffer.concat(chunks)).length).toBe(events.length);
  const messages = messagesOf(Buffer.concat(chunks));
  expect(messages.map((message) => JSON.parse(message.slice(message.indexOf('{'))))).toEqual(events);
  expect(messages[0]).toMatch(/^<110>1 \S+Z \S+ access-admin \d+ audit - \{/);
  expect(messages.at(-1)).toMatch(/^<108>1 2026-03-01T12:00:00\.000Z \S+ access-admin \d+ audit - \{/);
});

/** The messages of a stream with counted octets. */
function messagesOf(bytes: Buffer): readonly string[] {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const length = Number(bytes.subarray(at, space).toString());
    if (space < 0 || space + 1 + length > bytes.length) break;
    messages.push(bytes.subarray(space + 1, space + 1 + length).toString());
    at = space + 1 + length;
  }
  return messages;
}

test('a receiver over UDP gets a datagram for each event', async () => {
  const received: string[] = [];
  const socket = createSocket('udp4', (message) => received.push(message.toString()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const sink = openAuditSink(
    { kind: 'syslog', transport: 'udp', host: '127.0.0.1', port },
    { onReopen: () => {}, onTooLarge: () => {} },
  );
  onTestFinished(() => {
    socket.close();
  });
  const { store } = await openWorld(sink);
  const events = await eventsOf(store);
  await expect.poll(() => received.length).toBe(events.length);
  expect(received.map((message) => JSON.parse(message.slice(message.indexOf('{'))))).toEqual(events);
});

test('a receiver that is away keeps the events, which it gets when it is back', async () => {
  const reserved = createServer().listen(0, '127.0.0.1');
  await once(reserved, 'listening');
  const { port } = reserved.address() as AddressInfo;
  await new Promise((resolve) => reserved.close(resolve));
  const sink = openAuditSink(
    { kind: 'syslog', transport: 'tcp', host: '127.0.0.1', port },
    { onReopen: () => {}, onTooLarge: () => {} },
  );
  const failures: unknown[] = [];
  const observed: AuditSink = {
    ...sink,
    write: (lines) =>
      sink.write(lines).catch((error) => {
        failures.push(error);
        throw error;
      }),
  };
  const { store, clock, loop } = await openWorld(observed);
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  const chunks: Buffer[] = [];
  const server = createServer((socket) => socket.on('data', (chunk) => chunks.push(chunk))).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const events = await eventsOf(store);
  await expect
    .poll(() => {
      clock.nowMs += 6_000;
      loop.wake();
      loop.resume();
      return messagesOf(Buffer.concat(chunks)).length;
    })
    .toBe(events.length);
});

test('in OCSF an event has a class by what it is about, and the whole event beside', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'audit-stream-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'audit.ndjson');
  const lines: string[] = [];
  const { work } = openAuditStream({
    target: { kind: 'file', path },
    format: 'ocsf',
    onReopen: () => {},
    auditStream: {
      claim: async () => [],
      renew: async () => [],
      release: async () => {},
      advance: async () => true,
      read: async function* () {
        yield* EVENTS;
      },
    },
    log: { error: (fields: object) => lines.push(JSON.stringify(fields)) },
    leaseMs: LEASE_MS,
    onJobEnd: () => {},
    now: () => START_MS,
    busyMs: () => 0,
    yieldIfDue: () => undefined,
  });
  await work.run(
    { tenant: 'acme', fence: 1, sequence: 0 },
    {
      signal: new AbortController().signal,
      endAlone: () => {},
    },
  );
  const records = (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([]);
  expect(
    records.map(({ class_uid, activity_id, type_uid, category_uid }) => [
      class_uid,
      activity_id,
      type_uid,
      category_uid,
    ]),
  ).toEqual([
    [6003, 2, 600302, 6],
    [3002, 1, 300201, 3],
    [3002, 2, 300202, 3],
    [3001, 1, 300101, 3],
    [3001, 6, 300106, 3],
    [3001, 99, 300199, 3],
    [6003, 3, 600303, 6],
    [3002, 1, 300201, 3],
    [3001, 99, 300199, 3],
    [3001, 6, 300106, 3],
    [3001, 6, 300106, 3],
    [6003, 4, 600304, 6],
  ]);
  for (const [at, record] of records.entries()) {
    expect(record).toMatchObject({
      time: START_MS - 1_000,
      severity_id: DENIALS.includes(at) ? 2 : 1,
      status_id: DENIALS.includes(at) ? 2 : 1,
      metadata: { version: '1.3.0', product: { name: 'access-admin' }, uid: 'h' },
      unmapped: EVENTS[at],
    });
    if (record.class_uid === 6003) expect(record).toMatchObject({ api: {}, src_endpoint: {}, actor: {} });
    else expect(record.user).toEqual(expect.objectContaining({ uid: expect.any(String) }));
  }
});

const event = (sequence: number, fields: Partial<AuditEvent>): AuditEvent => ({
  ...DENIAL,
  sequence,
  outcome: 'ALLOWED',
  resource: { type: 'SOD_POLICY', id: 'p-1' },
  changes: [],
  previousHash: null,
  hash: 'h',
  ...fields,
});
const CREATED = [{ field: 'uid', before: null, after: 'ada' }];
const ERASURE = {
  operation: 'erase-identity-v1',
  resource: { type: 'IDENTITY', id: 'erased-1f0c22d9' },
} as const satisfies Partial<AuditEvent>;
const EVENTS: readonly AuditEvent[] = [
  event(1, { outcome: 'DENIED', resource: { type: 'IDENTITY', id: 'i-1' } }),
  event(2, { operation: 'sign-in', resource: { type: 'SESSION', id: 's-1' }, changes: CREATED }),
  event(3, { operation: 'sign-out', resource: { type: 'SESSION', id: 's-1' } }),
  event(4, { operation: 'import', resource: { type: 'IDENTITY', id: 'i-1' }, changes: CREATED }),
  event(5, {
    operation: 'import',
    resource: { type: 'IDENTITY', id: 'i-1' },
    changes: [{ field: 'uid', before: 'ada', after: null }],
  }),
  event(6, {
    operation: 'patch-auth-user-v1',
    resource: { type: 'AUTH_USER', id: 'i-1' },
    changes: [{ field: 'capabilities', before: [], after: ['ORG_ADMIN'] }],
  }),
  event(7, { operation: 'patch-sod-policy-v1', changes: [{ field: 'name', before: 'a', after: 'b' }] }),
  event(8, { operation: 'sign-in', outcome: 'DENIED', resource: { type: 'AUTH_USER', id: 'i-1' } }),
  event(9, {
    operation: 'unlock-auth-user-v1',
    resource: { type: 'AUTH_USER', id: 'i-1' },
    changes: [{ field: 'lockedUntil', before: '2026-03-01T12:00:00.000Z', after: null }],
  }),
  event(10, { ...ERASURE, changes: [{ field: 'erasureRequested', before: null, after: '2026-03-01T12:00:00.000Z' }] }),
  event(11, { ...ERASURE, changes: [{ field: 'erased', before: null, after: [{ sequence: 4, hash: 'h' }] }] }),
  event(12, { ...ERASURE, outcome: 'DENIED' }),
];
/** The places of refused requests. */
const DENIALS: readonly number[] = [0, 7, 11];
