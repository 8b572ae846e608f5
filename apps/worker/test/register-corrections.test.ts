import { copyFileSync } from 'node:fs';
import { approveException, auditContextOf, requestException } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { openStore, type Store } from '@access-admin/store';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createRegisterWorker } from './drive-register.ts';
import { identity, importAll, policyOf, policyRecord } from './report-world.ts';
import { migrate } from './sample-store.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;
const FOUND = {
  identityId: 'i-9',
  targetName: 'Nobody',
  policyId: 'p',
  policyName: 'P',
  levelRank: 3,
  criteria: '[]',
  exception: null,
};

let store: Store;
let remove: () => Promise<void>;

beforeEach(async () => {
  const database = await createEngineDatabase(undefined, migrate);
  ({ remove } = database);
  store = await openStore(database.url);
});

afterEach(async () => {
  await store.close();
  await remove();
});

const ref = (id: string) => ({ type: 'ENTITLEMENT', id }) as const;
const iso = (ms: number) => new Date(ms).toISOString();

async function told() {
  const types = ['sod.violation.opened', 'sod.violation.closed', 'sod.violation.remediated'] as const;
  const { events } = await store.events.read('acme', { types, limit: 100 });
  return events.map(({ type, data }) => `${type} ${JSON.parse(data).target.id}`);
}

const LEASE_MS = 1_000;

async function claimRegister(nowMs: number) {
  const [claim] = await store.register.claim({ nowMs, leaseMs: LEASE_MS, limit: 1 });
  if (claim === undefined) throw new Error('The register is not due.');
  return claim;
}

/** A violation that no evaluation has found, as a fault of an earlier version would store it. */
const falseBatch = (nowMs: number) => ({ at: iso(nowMs), opened: [FOUND], changed: [], ended: [], due: [] });

async function falsify(nowMs: number) {
  const claim = await claimRegister(nowMs);
  expect(await store.register.apply(claim, falseBatch(nowMs))).toBe(true);
  await store.register.release(claim, 0);
}

test('a full comparison once a day corrects the register, and says how much', async () => {
  const warned: unknown[] = [];
  const worker = createRegisterWorker(store, store.register, { onWarning: (fields) => warned.push(fields) });
  await importAll(store, 'acme', [
    ...['a', 'b'].map((id) => ({ kind: 'entitlement', id, name: id, source: null }) as const),
    { kind: 'identityProfile', id: 'ip', name: 'Employees' },
    policyRecord(policyOf('p', [['a'], ['b']])),
    identity('i-1', 'Ada', [ref('a'), ref('b')]),
  ]);
  await worker.settle(START_MS);
  expect(await told()).toEqual(['sod.violation.opened i-1']);
  expect(warned).toEqual([]);
  await importAll(store, 'acme', [identity('i-2', 'Bob', [ref('a'), ref('b')])]);
  await falsify(START_MS + 1_000);
  await worker.settle(START_MS + 2_000);
  expect(await told()).toHaveLength(3);
  expect(warned).toEqual([]);
  await worker.settle(START_MS + DAY_MS + 3_000);
  expect((await told()).at(-1)).toBe('sod.violation.closed i-9');
  expect(warned).toEqual([{ tenant: 'acme', corrected: 1 }]);
  expect(await store.register.countCorrected()).toBe(1);
  // The next one has nothing to correct.
  expect(await worker.settle(START_MS + 2 * DAY_MS + 3_000)).toBe(1);
  expect(warned).toHaveLength(1);
  expect(await told()).toHaveLength(4);
});

test('ended violations are removed after their time, with the comparison of the day', async () => {
  const worker = createRegisterWorker(store);
  await importAll(store, 'acme', [
    ...['a', 'b'].map((id) => ({ kind: 'entitlement', id, name: id, source: null }) as const),
    { kind: 'identityProfile', id: 'ip', name: 'Employees' },
    policyRecord(policyOf('p', [['a'], ['b']])),
    identity('i-1', 'Ada', [ref('a'), ref('b')]),
  ]);
  await worker.settle(START_MS);
  const { events } = await store.events.read('acme', { types: ['sod.violation.opened'], limit: 1 });
  const { id }: { readonly id: string } = JSON.parse(events[0]?.data ?? '{}');
  await importAll(store, 'acme', [identity('i-1', 'Ada', [ref('a')])]);
  await worker.settle(START_MS + 1_000);
  expect(await store.violations.find('acme', id, iso(START_MS))).toMatchObject({ status: 'Remediated' });
  await worker.settle(START_MS + 399 * DAY_MS);
  expect(await store.violations.find('acme', id, iso(START_MS))).not.toBeNull();
  await worker.settle(START_MS + 402 * DAY_MS);
  expect(await store.violations.find('acme', id, iso(START_MS))).toBeNull();
});

test('a register with later data than the tenant, as after a restore, is compared in full, and says how much it corrected', async () => {
  const warned: unknown[] = [];
  const worker = createRegisterWorker(store, store.register, { onWarning: (fields) => warned.push(fields) });
  const model = [
    ...['a', 'b'].map((id) => ({ kind: 'entitlement', id, name: id, source: null }) as const),
    { kind: 'identityProfile', id: 'ip', name: 'Employees' } as const,
    policyRecord(policyOf('p', [['a'], ['b']])),
  ];
  await importAll(store, 'acme', [...model, identity('i-1', 'Ada', [ref('a'), ref('b')])]);
  await worker.settle(START_MS);
  await importAll(store, 'acme', [identity('i-2', 'Bob', [])]);
  // The register is put ahead of the data: it has a violation, and revisions, that they do not have.
  const nowMs = START_MS + 1_000;
  const claim = await claimRegister(nowMs);
  const { policySetVersion, changeId, identityRevision } = claim;
  await store.register.apply(claim, falseBatch(nowMs));
  await store.register.publish(claim, {
    policySetVersion,
    changeId,
    identityRevision: identityRevision + 100,
    identities: 3,
    asOf: iso(nowMs),
    compareDue: null,
    corrected: null,
    policies: { changed: [], gone: [] },
  });
  await store.register.release(claim, 0);
  await worker.settle(START_MS + 2_000);
  expect((await told()).toSorted()).toEqual([
    'sod.violation.closed i-9',
    'sod.violation.opened i-1',
    'sod.violation.opened i-9',
  ]);
  expect(warned).toEqual([{ tenant: 'acme', corrected: 1 }]);
  expect(await store.register.countCorrected()).toBe(1);
  const now = iso(START_MS + 2_000);
  expect(await store.violations.readView('acme', now)).toMatchObject({ asOf: now, identities: 2 });
});

const MODEL = [
  ...['a', 'b'].map((id) => ({ kind: 'entitlement', id, name: id, source: null }) as const),
  { kind: 'identityProfile', id: 'ip', name: 'Employees' } as const,
  policyRecord(policyOf('p', [['a'], ['b']])),
];

const contextAt = (time: string) => {
  const caller = { tenant: 'acme', clientId: 'c', scopes: new Set<string>(), identityId: 'i-2', capabilities: [] };
  return auditContextOf(caller, { operation: 'test', time, trackingId: '0'.repeat(32) });
};

async function requestWithin(id: string, startMs: number, endMs: number) {
  const now = iso(startMs);
  const requested = { policyId: 'p', identityId: 'i-1', start: now, end: iso(endMs), justification: 'why' };
  const made = await store.exceptions.create(contextAt(now), requested, (view) =>
    requestException(requested, view, { id, identityId: 'i-2', now }),
  );
  expect(made.ok).toBe(true);
}

async function approve(id: string) {
  const now = iso(START_MS);
  const actor = { identityId: 'i-approver', now, comment: null };
  const approved = await store.exceptions.change(contextAt(now), id, {
    decide: (view) => approveException(view.exception, { ...view, capabilities: ['ORG_ADMIN'] }, actor),
  });
  expect(approved.ok).toBe(true);
}

test('a violation is open after the next round once its exception is void, also if a worker stored that which has lost the register', async () => {
  const worker = createRegisterWorker(store);
  const ofLevel = (level: 'LOW' | 'HIGH') => policyRecord(policyOf('p', [['a'], ['b']], { level }));
  await importAll(store, 'acme', [...MODEL, ofLevel('HIGH'), identity('i-1', 'Ada', [ref('a'), ref('b')])]);
  await requestWithin('x-1', START_MS, START_MS + 90 * DAY_MS);
  await approve('x-1');
  const shown = async () => {
    const query = { conditions: [], sorters: [], now: iso(START_MS) };
    const { violations } = await store.violations.list('acme', query, { limit: 10, offset: 0, after: null });
    return violations.map(({ status, exception }) => [status, exception?.id ?? null]);
  };
  await importAll(store, 'acme', [ofLevel('LOW')]);
  await using before = await store.register.openSource('acme');
  // The exception covers again.
  await importAll(store, 'acme', [ofLevel('HIGH')]);
  await worker.settle(START_MS + 1_000);
  expect(await shown()).toEqual([['Mitigated', 'x-1']]);
  await store.register.voidExceptions('acme', before, iso(START_MS));
  expect(await worker.settle(START_MS + 2_000)).toBe(1);
  expect(await shown()).toEqual([['Open', null]]);
  const { events } = await store.events.read('acme', { types: ['sod.violation.reopened'], limit: 10 });
  expect(events).toHaveLength(1);
});

test('a register that a clock a year ahead has written is corrected, and exceptions that end later are told once', async () => {
  const worker = createRegisterWorker(store);
  const timed = { ...ref('a'), end: iso(START_MS + 30 * DAY_MS) };
  await importAll(store, 'acme', [...MODEL, identity('i-1', 'Ada', [timed, ref('b')]), identity('i-2', 'Bob', [])]);
  await worker.settle(START_MS);
  await requestWithin('before', START_MS, START_MS + 500);
  await worker.settle(START_MS + 365 * DAY_MS);
  expect(await told()).toEqual(['sod.violation.opened i-1', 'sod.violation.remediated i-1']);
  expect(await worker.settle(START_MS + 1_000)).toBe(1);
  const now = iso(START_MS + 1_000);
  expect(await store.violations.readView('acme', now)).toMatchObject({ asOf: now });
  expect((await told()).at(-1)).toBe('sod.violation.opened i-1');
  await requestWithin('later', START_MS + 1_000, START_MS + DAY_MS / 2);
  const expired = async () => {
    const { events } = await store.events.read('acme', { types: ['sod.exception.expired'], limit: 100 });
    return events.map(({ resourceId, time }) => `${resourceId} ${time}`);
  };
  await worker.settle(START_MS + 2_000);
  const early = `before ${iso(START_MS + 365 * DAY_MS)}`;
  expect(await expired()).toEqual([early]);
  const end = START_MS + DAY_MS / 2;
  for (const atMs of [end, end + 1_000, end + DAY_MS]) await worker.settle(atMs);
  expect(await expired()).toEqual([early, `later ${iso(end)}`]);
});

test('an older file that is put back has nothing to correct, and its events end before those of readers', async () => {
  const older = await createEngineDatabase('sqlite', migrate);
  onTestFinished(older.remove);
  const path = older.url.slice('sqlite:'.length);
  const held = [ref('a'), ref('b')];
  const warned: unknown[] = [];
  {
    await using before = await openStore(older.url);
    await importAll(before, 'acme', [...MODEL, identity('i-1', 'Ada', held)]);
    await createRegisterWorker(before).settle(START_MS);
  }
  copyFileSync(path, `${path}.backup`);
  {
    await using later = await openStore(older.url);
    await importAll(later, 'acme', [identity('i-1', 'Ada', []), identity('i-2', 'Bob', held)]);
    await createRegisterWorker(later).settle(START_MS + 1_000);
  }
  copyFileSync(`${path}.backup`, path);
  await using restored = await openStore(older.url);
  const worker = createRegisterWorker(restored, restored.register, { onWarning: (fields) => warned.push(fields) });
  const nowMs = START_MS + DAY_MS;
  expect(await worker.settle(nowMs)).toBe(1);
  expect(await restored.violations.readView('acme', iso(nowMs))).toMatchObject({ asOf: iso(nowMs), identities: 1 });
  const { events, range } = await restored.events.read('acme', { types: ['sod.violation.opened'], limit: 10 });
  expect(events.map(({ data }) => JSON.parse(data).target.id)).toEqual(['i-1']);
  expect([warned, await restored.register.countCorrected()]).toEqual([[], 0]);
  const beyond = await restored.events.find('acme', {
    after: range.last + 1,
    types: ['sod.violation.opened'],
    limit: 1,
  });
  expect(beyond).toMatchObject({ isGone: true });
});
