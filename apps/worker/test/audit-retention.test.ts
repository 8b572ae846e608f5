import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent } from '@access-admin/domain';
import { openSmallDisk, whyNoSmallDisk } from '@access-admin/harness';
import { createScheduler } from '@access-admin/scheduling';
import type { AuditRetentionStore, Store } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AuditRetentionDeps, archiveExpiredEvents } from '../src/audit-retention/sweep.ts';
import { driveLoop } from './drive-loop.ts';
import { type NewStore, openNewStore } from './sample-store.ts';

// Each test has a tenant of its own in one store.
let world: NewStore;
let archive: string;
let tenant: string;
let count = 0;

beforeAll(async () => {
  world = await openNewStore();
});
afterAll(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  tenant = `acme-${++count}`;
  archive = await mkdtemp(join(tmpdir(), 'archive-'));
  return () => rm(archive, { recursive: true });
});

const NOW_MS = Date.parse('2026-06-10T08:00:00.000Z');
const DAYS = 30;

/** Denials at these times, one event each. */
async function deny(times: readonly string[], store: Store = world.store): Promise<void> {
  const actor = { clientId: 'c-1', identityId: null };
  for (const time of times)
    await store.audit.recordDenial(
      { tenant, actor, operation: 'get-identity-v1', time: `2026-${time}.000Z`, trackingId: '0'.repeat(32) },
      { type: 'IDENTITY', id: 'i-1' },
    );
}

async function eventsOf({ audit }: Store = world.store): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = [];
  for await (const event of audit.export(tenant)) events.push(event);
  return events;
}

const THREE_DAYS = ['05-01T10:00:00', '05-01T23:59:59', '05-02T00:00:00', '06-09T00:00:00'];

/** One round of the retention, of this test's tenant alone. */
async function retain(overrides: Partial<AuditRetentionDeps> = {}, nowMs = NOW_MS) {
  const jobs: EndedJob[] = [];
  const logged: object[] = [];
  const { auditRetention } = world.store;
  const listExpired: AuditRetentionStore['listExpired'] = async (before) =>
    (await auditRetention.listExpired(before)).filter((log) => log.tenant === tenant);
  let workedMs = 0;
  const busyMs = () => ++workedMs;
  const deps: AuditRetentionDeps = {
    auditRetention: { ...auditRetention, listExpired },
    auditRetentionDays: DAYS,
    auditArchive: archive,
    isAuditStreamed: false,
    signAuditHead: async (_, { sequence }) => `signature of ${sequence}`,
    log: { error: (fields: object) => logged.push(fields), warn: (fields: object) => logged.push(fields) },
    onJobEnd: (job) => jobs.push(job),
    now: () => nowMs,
    busyMs,
    yieldIfDue: createScheduler({ elapsed: busyMs, dueAfterMs: 5 }).yieldIfDue,
    ...overrides,
  };
  await archiveExpiredEvents(deps, nowMs, new AbortController().signal);
  return { outcomes: jobs.map(({ outcome, ids }) => [outcome, ids['events']]), logged };
}

async function removeAll(): Promise<void> {
  while (await world.store.auditRetention.removeArchived());
}

const archived = async () => (await readdir(join(archive, tenant))).sort();
const readArchived = (name: string) => readFile(join(archive, tenant, name), 'utf8');
const linesOf = (events: readonly AuditEvent[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

const FILES = [
  '000000000001-000000000002.head.json',
  '000000000001-000000000002.ndjson',
  '000000000003-000000000003.head.json',
  '000000000003-000000000003.ndjson',
];

test('events that are older than their days are archived, a file a day with its signed end, then removed', async () => {
  await deny(THREE_DAYS);
  const all = await eventsOf();
  expect(await retain()).toEqual({
    outcomes: [
      ['success', 2],
      ['success', 1],
    ],
    logged: [],
  });
  expect(await eventsOf()).toEqual(all);
  await removeAll();
  expect(await eventsOf()).toEqual(all.slice(3));
  const start = { firstSequence: 4, previousHash: all[2]?.hash };
  expect(await world.store.audit.head(tenant)).toEqual({ sequence: 4, hash: all[3]?.hash, ...start });
  expect(await archived()).toEqual(FILES);
  expect(await readArchived(FILES[1] ?? '')).toBe(linesOf(all.slice(0, 2)));
  expect(await readArchived(FILES[3] ?? '')).toBe(linesOf(all.slice(2, 3)));
  expect(JSON.parse(await readArchived(FILES[2] ?? ''))).toEqual({
    sequence: 3,
    hash: all[2]?.hash,
    firstSequence: 3,
    previousHash: all[1]?.hash,
    signature: 'signature of 3',
  });
  expect((await stat(join(archive, tenant, FILES[1] ?? ''))).mode & 0o777).toBe(0o600);
  expect(await retain()).toEqual({ outcomes: [], logged: [] });
});

test('a log of which all is archived goes on behind its last event', async () => {
  await deny(THREE_DAYS.slice(0, 2));
  const all = await eventsOf();
  await retain();
  await removeAll();
  const { hash } = all[1] ?? {};
  expect(await world.store.audit.head(tenant)).toEqual({ sequence: 2, hash, firstSequence: 3, previousHash: hash });
  await deny(['06-09T00:00:00']);
  expect(await eventsOf()).toMatchObject([{ sequence: 3, previousHash: hash }]);
});

test('a process that ends behind the file writes it again, as it was; one that ends behind its note removes later', async () => {
  await deny(THREE_DAYS);
  const all = await eventsOf();
  const { auditRetention } = world.store;
  const listExpired = async (before: string) =>
    (await auditRetention.listExpired(before)).filter((log) => log.tenant === tenant);
  const begin = () => Promise.reject(new Error('killed'));
  const killed = await retain({ auditRetention: { ...auditRetention, listExpired, begin } });
  expect(killed.outcomes).toEqual([['retry', 0]]);
  await removeAll();
  expect(await eventsOf()).toEqual(all);
  expect(await archived()).toEqual(FILES.slice(0, 2));
  const written = await readArchived(FILES[1] ?? '');
  // A later day makes no longer file of them.
  expect((await retain({}, NOW_MS + 86_400_000)).outcomes).toEqual([
    ['success', 2],
    ['success', 1],
  ]);
  expect(await archived()).toEqual(FILES);
  expect(await readArchived(FILES[1] ?? '')).toBe(written);
  expect(await eventsOf()).toEqual(all);
  await removeAll();
  expect(await eventsOf()).toEqual(all.slice(3));
});

test('of two workers that archive the same events, one goes on', async () => {
  await deny(THREE_DAYS);
  const both = await Promise.all([retain(), retain()]);
  const outcomes = both.flatMap((each) => each.outcomes).map(([outcome]) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(2);
  expect(await archived()).toEqual(FILES);
});

test('events that are not streamed yet stay, and the log tells why', async () => {
  await deny(THREE_DAYS);
  const { auditStream } = world.store;
  expect(await retain({ isAuditStreamed: true })).toEqual({
    outcomes: [['retry', 0]],
    logged: [{ tenant, streamed: 0 }],
  });
  const [claim] = await auditStream.claim({ nowMs: NOW_MS, leaseMs: 1, limit: 1, tenant });
  if (claim === undefined) throw new Error('no claim');
  await auditStream.advance(claim, 2);
  const { outcomes } = await retain({ isAuditStreamed: true });
  expect(outcomes).toEqual([
    ['success', 2],
    ['retry', 0],
  ]);
  expect(await archived()).toEqual(FILES.slice(0, 2));
});

test.each([
  ['missing', () => rm(archive, { recursive: true }), () => mkdir(archive), 'ENOENT'],
  ['in the way of a file', () => writeFile(join(archive, tenant), ''), () => rm(join(archive, tenant)), 'ENOTDIR'],
])('nothing is removed where the folder is %s, and it goes on afterwards', async (_, spoil, repair, code) => {
  await deny(THREE_DAYS);
  const all = await eventsOf();
  await spoil();
  const { outcomes, logged } = await retain();
  expect(outcomes).toEqual([['retry', 0]]);
  expect(logged).toMatchObject([{ tenant, folder: archive, err: { code } }]);
  await removeAll();
  expect(await eventsOf()).toEqual(all);
  await repair();
  expect((await retain()).outcomes).toHaveLength(2);
});

const noSmallDisk = whyNoSmallDisk();
test.skipIf(noSmallDisk !== null)(`nothing is removed while the disk is full${noSmallDisk ?? ''}`, async () => {
  using small = openSmallDisk(4);
  await deny(THREE_DAYS);
  const all = await eventsOf();
  const { outcomes, logged } = await retain({ auditArchive: small.path });
  expect(outcomes).toEqual([['retry', 0]]);
  expect(logged).toMatchObject([{ err: { code: 'ENOSPC' } }]);
  await removeAll();
  expect(await eventsOf()).toEqual(all);
});

test('nothing is removed where no key signs', async () => {
  await deny(THREE_DAYS);
  const all = await eventsOf();
  const signAuditHead = () => Promise.reject(new Error('no key'));
  expect((await retain({ signAuditHead })).outcomes).toEqual([['retry', 0]]);
  await removeAll();
  expect(await eventsOf()).toEqual(all);
  expect((await archived()).filter((name) => name.startsWith('part-'))).toEqual([]);
});

test('an idle worker archives and removes once its clock has gone on', async () => {
  await deny(THREE_DAYS);
  const all = await eventsOf();
  const clock = { nowMs: NOW_MS };
  const loop = driveLoop(world.store, clock, { auditRetentionDays: DAYS, auditArchive: archive });
  await loop.idle();
  expect(await eventsOf()).toEqual(all);
  clock.nowMs += 600_000;
  loop.resume();
  await loop.idle();
  expect(await eventsOf()).toEqual(all.slice(3));
  loop.stop();
  await loop.ended;
});
