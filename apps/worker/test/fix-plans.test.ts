import { FIX_PLAN_VIOLATIONS_MAX } from '@access-admin/contract';
import type { AccessModelRecord, AccessRef, FixPlanRequest, TimedAccessRef } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { type FixPlanLists, openStore, type Store } from '@access-admin/store';
import { seeds } from '@access-admin/test-depth';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { driveLoop, START_MS } from './drive-loop.ts';
import { createRandom, identity, importAll, newReport, policyOf, policyRecord, readAll } from './report-world.ts';
import { migrate } from './sample-store.ts';

let store: Store;
let remove: () => Promise<void>;

beforeEach(async () => {
  const database = await createEngineDatabase(undefined, migrate);
  remove = database.remove;
  store = await openStore(database.url);
});

afterEach(async () => {
  await store.close();
  await remove();
});

/** Runs a loop until it is idle. */
async function runAll(): Promise<void> {
  const loop = driveLoop(store, { nowMs: START_MS });
  await loop.idle();
  loop.stop();
  await loop.ended;
  expect(loop.logged.filter((line) => line.includes('failed'))).toEqual([]);
}

const ALL: FixPlanRequest = { levels: null, policyIds: null, identityIds: null, keepHolders: 1, protect: [] };

const entitlement = (id: string, window: { readonly start?: string; readonly end?: string } = {}): TimedAccessRef => ({
  type: 'ENTITLEMENT',
  id,
  ...window,
});
const profile = (id: string): AccessRef => ({ type: 'ACCESS_PROFILE', id });
const role = (id: string): AccessRef => ({ type: 'ROLE', id });

const CATALOGUE: readonly AccessModelRecord[] = [
  ...['a', 'b', 'c', 'd'].map((id) => ({ kind: 'entitlement', id, name: `The ${id}`, source: null }) as const),
  { kind: 'accessProfile', id: 'ap', name: 'Profile', entitlements: ['a', 'c'] },
  { kind: 'role', id: 'both', name: 'Both', entitlements: ['a', 'b'], accessProfiles: [] },
  { kind: 'identityProfile', id: 'ip', name: 'Employees' },
];
const P = policyRecord(policyOf('p', [['a'], ['b']], { level: 'CRITICAL' }));
const Q = policyRecord(policyOf('q', [['c'], ['d']], { level: 'LOW' }));
const people = (access: Readonly<Record<string, readonly TimedAccessRef[]>>): readonly AccessModelRecord[] =>
  Object.entries(access).map(([id, held]) => identity(id, `Name of ${id}`, held));

let made = 0;

/** Makes a plan; returns its summary and lists. */
async function planOf(request: Partial<FixPlanRequest> = {}) {
  const reportId = `r-${made++}`;
  await store.reports.enqueue(newReport(reportId, { kind: 'FIX_PLAN', fixPlan: { ...ALL, ...request } }), 10);
  await runAll();
  const { report } = await readAll(store, reportId);
  expect(report.state, String(report.message)).toBe('SUCCESS');
  const read = async <L extends keyof FixPlanLists>(list: L) => {
    const entries: FixPlanLists[L][] = [];
    for await (const page of store.reports.entries(report, list)) entries.push(...page);
    return entries;
  };
  return { summary: report.fixPlan, steps: await read('STEP'), unsolvable: await read('UNSOLVABLE') };
}

const VIOLATION_OF_P = { policyId: 'p', policyName: 'Policy p', level: 'CRITICAL' } as const;

test('a plan takes the fewest assignments, and of equal ones those by which least is lost', async () => {
  await importAll(store, 'acme', [
    ...CATALOGUE,
    P,
    ...people({
      'i-1': [entitlement('a'), entitlement('b')],
      'i-2': [profile('ap'), entitlement('b')],
      'i-3': [profile('ap'), entitlement('a'), entitlement('b')],
      'i-4': [entitlement('a'), entitlement('c')],
      'i-5': [entitlement('b')],
    }),
  ]);
  const { summary, steps, unsolvable } = await planOf();
  expect(summary).toEqual({
    violations: 3,
    ended: 3,
    unsolvable: 0,
    revocations: 3,
    identities: 3,
    lowerBound: 3,
    optimal: true,
  });
  const step = (number: number, id: string, revoked: 'a' | 'b') => ({
    step: number,
    identityId: id,
    displayName: `Name of ${id}`,
    revoke: { type: 'ENTITLEMENT', id: revoked, name: `The ${revoked}` },
    ends: [VIOLATION_OF_P],
    alsoLoses: [],
  });
  expect(steps).toEqual([step(1, 'i-1', 'a'), step(2, 'i-2', 'b'), step(3, 'i-3', 'b')]);
  expect(unsolvable).toEqual([]);
});

test('a step tells what else is lost, and who keeps the last of something', async () => {
  await importAll(store, 'acme', [
    ...CATALOGUE,
    P,
    ...people({ 'i-1': [profile('ap'), entitlement('b')], 'i-2': [profile('ap')] }),
  ]);
  const { steps } = await planOf();
  expect(steps).toEqual([
    {
      step: 1,
      identityId: 'i-1',
      displayName: 'Name of i-1',
      revoke: { type: 'ACCESS_PROFILE', id: 'ap', name: 'Profile' },
      ends: [VIOLATION_OF_P],
      alsoLoses: [{ type: 'ENTITLEMENT', id: 'c', name: 'The c' }],
    },
  ]);
  const { steps: none, unsolvable, summary } = await planOf({ keepHolders: 2 });
  expect([none, summary?.unsolvable]).toEqual([[], 1]);
  const shown = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT', id, name: `The ${id}`, existing: true }] });
  expect(unsolvable).toEqual([
    {
      identityId: 'i-1',
      displayName: 'Name of i-1',
      ...VIOLATION_OF_P,
      conflictingAccessCriteria: { leftCriteria: shown('a'), rightCriteria: shown('b') },
      reason: 'LAST_HOLDER',
    },
  ]);
});

test('each violation that stays has its reason', async () => {
  await importAll(store, 'acme', [
    ...CATALOGUE,
    P,
    Q,
    ...people({
      'i-1': [role('both')],
      'i-2': [entitlement('c'), entitlement('d')],
      'i-3': [entitlement('c'), entitlement('d')],
    }),
  ]);
  const protect = [entitlement('c'), entitlement('d')];
  const { unsolvable, summary } = await planOf({ protect });
  expect(unsolvable.map(({ identityId, reason }) => [identityId, reason])).toEqual([
    ['i-1', 'LAST_HOLDER'],
    ['i-2', 'PROTECTED'],
    ['i-3', 'PROTECTED'],
  ]);
  expect(summary).toMatchObject({
    violations: 3,
    ended: 0,
    unsolvable: 3,
    revocations: 0,
    identities: 0,
    optimal: true,
  });
  expect((await planOf({ protect, keepHolders: 0 })).steps.map(({ revoke }) => revoke.id)).toEqual(['both']);
  const reasonsWith = async (request: Partial<FixPlanRequest>) =>
    (await planOf({ policyIds: ['p'], ...request })).unsolvable.map(({ reason }) => reason);
  expect(await reasonsWith({ protect: [role('both')], keepHolders: 0 })).toEqual(['PROTECTED']);
  // Without b, the role could stay.
  await importAll(store, 'acme', people({ 'i-4': [entitlement('b')] }));
  expect(await reasonsWith({})).toEqual(['ROLE_VIOLATES_ITSELF']);
  expect(await reasonsWith({ keepHolders: 2 })).toEqual(['LAST_HOLDER']);
});

test('nobody loses protected access with what gives it', async () => {
  await importAll(store, 'acme', [
    ...CATALOGUE,
    { kind: 'role', id: 'wide', name: 'Wide', entitlements: ['b'], accessProfiles: ['ap'] },
    { kind: 'role', id: 'other', name: 'Other', entitlements: ['a', 'd'], accessProfiles: [] },
    P,
    Q,
    ...people({
      'i-1': [role('both')],
      'i-2': [role('both'), entitlement('a'), entitlement('b')],
      'i-3': [role('wide')],
      'i-4': [role('wide'), profile('ap')],
      'i-5': [role('both'), role('other'), entitlement('c')],
    }),
  ]);
  const outcomeOf = async (request: Partial<FixPlanRequest>) => {
    const { steps, unsolvable, summary } = await planOf({ keepHolders: 0, ...request });
    expect(summary).toMatchObject({ optimal: true });
    return {
      steps: steps.map(({ identityId, revoke }) => `${identityId} ${revoke.id}`),
      stay: unsolvable.map(({ identityId, policyId, reason }) => `${identityId} ${policyId} ${reason}`),
    };
  };
  expect(await outcomeOf({ identityIds: ['i-1', 'i-2'], protect: [entitlement('a'), entitlement('b')] })).toEqual({
    steps: [],
    stay: ['i-1 p PROTECTED', 'i-2 p PROTECTED'],
  });
  expect(await outcomeOf({ identityIds: ['i-3', 'i-4'], protect: [profile('ap')] })).toEqual({
    steps: ['i-4 wide'],
    stay: ['i-3 p PROTECTED'],
  });
  // Of two roles that alone give it, one may go.
  expect(await outcomeOf({ identityIds: ['i-5'], protect: [entitlement('a'), entitlement('c')] })).toEqual({
    steps: ['i-5 both'],
    stay: ['i-5 q PROTECTED'],
  });
});

test('a plan is about the present violations that were asked for, and takes an assignment with a window as a whole', async () => {
  const past = { start: '2020-01-01T00:00:00.000Z', end: '2020-02-01T00:00:00.000Z' };
  const present = { start: '2020-01-01T00:00:00.000Z' };
  await importAll(store, 'acme', [
    ...CATALOGUE,
    P,
    Q,
    ...people({
      'i-1': [entitlement('a', past), entitlement('b')],
      'i-2': [entitlement('a', present), entitlement('a', past), entitlement('b')],
      'i-3': [entitlement('c'), entitlement('d')],
      'i-4': [entitlement('a'), entitlement('b'), entitlement('c'), entitlement('d')],
    }),
  ]);
  const stepsOf = async (request: Partial<FixPlanRequest>) =>
    (await planOf({ keepHolders: 0, ...request })).steps.map(({ identityId, revoke }) => [identityId, revoke.id]);
  expect(await stepsOf({})).toEqual([
    ['i-2', 'a'],
    ['i-3', 'c'],
    ['i-4', 'a'],
    ['i-4', 'c'],
  ]);
  expect(await stepsOf({ levels: ['LOW', 'HIGH'] })).toEqual([
    ['i-3', 'c'],
    ['i-4', 'c'],
  ]);
  expect(await stepsOf({ policyIds: ['p'], identityIds: ['i-3', 'i-4'] })).toEqual([['i-4', 'a']]);
});

test('a plan about more violations than it may be about ends in ERROR', async () => {
  const policies = Array.from({ length: 500 }, (_, at) => policyRecord(policyOf(`p-${at}`, [['a'], ['b']])));
  const both = [entitlement('a'), entitlement('b')];
  const count = FIX_PLAN_VIOLATIONS_MAX / policies.length + 1;
  const held = Object.fromEntries(Array.from({ length: count }, (_, at) => [`i-${at}`, both]));
  await importAll(store, 'acme', [...CATALOGUE, ...policies, ...people(held)]);
  await store.reports.enqueue(newReport('r-many', { kind: 'FIX_PLAN', fixPlan: ALL }), 10);
  await runAll();
  const { report } = await readAll(store, 'r-many');
  expect([report.state, report.message]).toEqual(['ERROR', expect.stringContaining('250000 violations')]);
});

test('in random tenants, a scan after all steps finds the violations that the plan leaves, and no entitlement without its holders', async () => {
  for (const seed of seeds(20)) {
    const below = createRandom(seed);
    const refs = [...['a', 'b', 'c', 'd'].map((id) => entitlement(id)), profile('ap'), role('both')];
    const draw = () => Array.from({ length: below(5) }, () => refs[below(refs.length)] ?? role('both'));
    const access = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`i-${at}`, draw()]));
    const tenant = `t-${seed}`;
    await importAll(store, tenant, [...CATALOGUE, P, Q, ...people(access)]);
    const keepHolders = below(4);
    const reportId = `plan-${seed}`;
    await store.reports.enqueue(
      newReport(reportId, { tenant, kind: 'FIX_PLAN', fixPlan: { ...ALL, keepHolders } }),
      10,
    );
    await runAll();
    const { report } = await readAll(store, reportId, tenant);
    const left: string[] = [];
    for await (const page of store.reports.entries(report, 'UNSOLVABLE'))
      left.push(...page.map(({ identityId, policyId }) => `${policyId} ${identityId}`));
    for await (const page of store.reports.entries(report, 'STEP'))
      for (const { identityId, revoke } of page)
        access[identityId] = (access[identityId] ?? []).filter(
          ({ type, id }) => type !== revoke.type || id !== revoke.id,
        );
    await importAll(store, tenant, people(access));
    await store.reports.enqueue(newReport(`scan-${seed}`, { tenant }), 10);
    await runAll();
    const { lines } = await readAll(store, `scan-${seed}`, tenant);
    expect(
      lines.map(({ policy, line }) => `${policy.policyId} ${line.identityId}`),
      `seed ${seed}`,
    ).toEqual(left);
    expect(report.fixPlan?.unsolvable, `seed ${seed}`).toBe(left.length);
  }
});
