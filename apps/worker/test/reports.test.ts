import {
  type AccessModelRecord,
  type AccessRef,
  type SodPolicy,
  type SodReportChange,
  type SodReportViolation,
  showReportLine,
} from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { createSodReader, type LineCondition, openStore, type Store } from '@access-admin/store';
import { seeds } from '@access-admin/test-depth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPopulations } from '../src/reports/population.ts';
import { type DrivenLoop, driveLoop, LEASE_MS, START_MS, type TestClock } from './drive-loop.ts';
import { createRandom, identity, importAll, NOW, newReport, policyOf, policyRecord, readAll } from './report-world.ts';
import { migrate, newCheck } from './sample-store.ts';

let store: Store;
let remove: () => Promise<void>;
let clock: TestClock;
const loops: DrivenLoop[] = [];

beforeEach(async () => {
  const database = await createEngineDatabase(undefined, migrate);
  remove = database.remove;
  store = await openStore(database.url);
  clock = { nowMs: START_MS };
});

afterEach(async () => {
  for (const loop of loops.splice(0)) {
    loop.stop();
    await loop.ended;
  }
  await store.close();
  await remove();
});

function start(overrides: Parameters<typeof driveLoop>[2] = {}): DrivenLoop {
  const loop = driveLoop(store, clock, overrides);
  loops.push(loop);
  return loop;
}

/** Runs a loop until it is idle. */
async function runAll(): Promise<void> {
  const loop = start();
  await loop.idle();
  loop.stop();
  await loop.ended;
  expect(loop.logged.filter((line) => line.includes('failed'))).toEqual([]);
}

const ENTITLEMENTS = ['a', 'B', 'b', '_', 'Z', 'z', 'a.1', 'a-1', 'a:1', 'E'];
const PROFILES = { 'ap-1': ['a', 'B'], 'ap-2': ['z', 'E', 'a.1'] };
const ROLES = { 'r-1': { accessProfiles: ['ap-1'], entitlements: ['b'] }, 'r-2': { accessProfiles: ['ap-2', 'ap-1'] } };
const REFS: readonly AccessRef[] = [
  ...ENTITLEMENTS.map((id) => ({ type: 'ENTITLEMENT' as const, id })),
  ...Object.keys(PROFILES).map((id) => ({ type: 'ACCESS_PROFILE' as const, id })),
  ...Object.keys(ROLES).map((id) => ({ type: 'ROLE' as const, id })),
];

const catalogue: readonly AccessModelRecord[] = [
  ...ENTITLEMENTS.map((id) => ({ kind: 'entitlement', id, name: `The ${id}`, source: null }) as const),
  ...Object.entries(PROFILES).map(
    ([id, entitlements]) => ({ kind: 'accessProfile', id, name: id, entitlements }) as const,
  ),
  ...Object.entries(ROLES).map(([id, held]) => ({ kind: 'role', id, name: id, entitlements: [], ...held }) as const),
  { kind: 'identityProfile', id: 'ip', name: 'Employees' },
];

interface Person {
  readonly id: string;
  readonly displayName: string | null;
  readonly access: readonly AccessRef[];
}

type Random = (end: number) => number;
const oneOf = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;
const some = <T>(random: Random, countMax: number, draw: () => T): T[] =>
  Array.from({ length: random(countMax + 1) }, draw);

function drawPolicy(random: Random, id: string): SodPolicy {
  const pool = [...ENTITLEMENTS, 'deleted'].sort(() => random(3) - 1);
  const take = () => pool.splice(0, 1 + random(2));
  const fields = {
    name: `Policy ${id} ${random(3)}`,
    level: oneOf(random, ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const),
    state: random(6) === 0 ? ('NOT_ENFORCED' as const) : ('ENFORCED' as const),
  };
  if (random(6) === 0) return policyOf(id, [take()], { ...fields, atLeast: 1 });
  if (random(3) > 0) return policyOf(id, [take(), take()], fields);
  const sides = [take(), take(), ...some(random, 2, () => take()).filter(({ length }) => length > 0)];
  return policyOf(id, sides, { ...fields, atLeast: 2 + random(sides.length - 1) });
}

function drawWorld(random: Random) {
  const people = Array.from({ length: 5 + random(20) }, (_, at): Person => {
    const displayName = oneOf(random, ['Ada "L"', 'é\u2028\\', null, 'Cy']);
    return { id: `i-${at}`, displayName, access: some(random, 5, () => oneOf(random, REFS)) };
  });
  const ids = ['p', 'P', 'p-1', 'p.1', 'p_1', '_', '9'].filter(() => random(4) > 0);
  return { people, policies: ids.map((id) => drawPolicy(random, id)) };
}

type World = ReturnType<typeof drawWorld>;

const recordsOf = ({ people, policies }: World): readonly AccessModelRecord[] => [
  ...catalogue,
  ...people.map(({ id, displayName, access }) => identity(id, displayName, access)),
  ...policies.map(policyRecord),
];

function effective(access: readonly AccessRef[]): Set<string> {
  const held = new Set<string>();
  const addProfile = (id: string) => {
    for (const item of PROFILES[id as keyof typeof PROFILES]) held.add(item);
  };
  for (const { type, id } of access) {
    if (type === 'ENTITLEMENT') held.add(id);
    if (type === 'ACCESS_PROFILE') addProfile(id);
    if (type !== 'ROLE') continue;
    const role: { accessProfiles?: readonly string[]; entitlements?: readonly string[] } =
      ROLES[id as keyof typeof ROLES];
    for (const item of role.entitlements ?? []) held.add(item);
    for (const profile of role.accessProfiles ?? []) addProfile(profile);
  }
  return held;
}

type Conflict = SodReportViolation['conflictingAccessCriteria'];

/** The items of a policy that this access violates, by a direct reading of the rule; null for no violation. */
function conflictOf({ state, conflictingAccessCriteria: criteria }: SodPolicy, all: Set<string>, held = all) {
  if (state !== 'ENFORCED') return null;
  const sides = 'criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];
  const shown = sides.map(({ name, criteriaList }) => ({
    name,
    criteriaList: criteriaList
      .filter(({ id }) => all.has(id))
      .map(({ id }) => ({ type: 'ENTITLEMENT' as const, id, name: `The ${id}`, existing: held.has(id) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  }));
  const met = shown.filter(({ criteriaList }) => criteriaList.length > 0);
  const atLeast = 'criteria' in criteria ? criteria.atLeast : 2;
  if (met.length < atLeast) return null;
  if ('criteria' in criteria) return { criteria: met, atLeast } as Conflict;
  const [left = [], right = []] = shown.map(({ criteriaList }) => criteriaList);
  return { leftCriteria: { criteriaList: left }, rightCriteria: { criteriaList: right } } as Conflict;
}

const lineOf = (
  change: SodReportChange,
  person: Person,
  policy: SodPolicy,
  conflict: Conflict,
): SodReportViolation => ({
  change,
  identityId: person.id,
  displayName: person.displayName,
  policyId: policy.id,
  policyName: policy.name,
  level: policy.level,
  conflictingAccessCriteria: conflict,
  exception: null,
});

const inOrder = (lines: readonly SodReportViolation[]) =>
  lines.toSorted((a, b) =>
    a.policyId === b.policyId ? (a.identityId < b.identityId ? -1 : 1) : a.policyId < b.policyId ? -1 : 1,
  );

function summaryOf(lines: readonly SodReportViolation[]) {
  const count = (own: readonly SodReportViolation[], change: SodReportChange) =>
    own.filter((line) => line.change === change).length;
  const countsOf = (own: readonly SodReportViolation[]) => ({
    new: count(own, 'new'),
    same: count(own, 'same'),
    gone: count(own, 'gone'),
    excepted: own.filter(({ exception }) => exception !== null).length,
  });
  const byPolicy = [...Map.groupBy(lines, ({ policyId }) => policyId)].map(([policyId, own]) => ({
    policyId,
    name: own[0]?.policyName,
    level: own[0]?.level,
    ...countsOf(own),
  }));
  return { ...countsOf(lines), byPolicy };
}

async function expectReport(reportId: string, lines: readonly SodReportViolation[], identities: number) {
  const { report, lines: stored, policies } = await readAll(store, reportId);
  const expected = inOrder(lines);
  expect(stored.map(({ policy, line }) => showReportLine(policy, line))).toEqual(expected);
  const { byPolicy, ...counts } = summaryOf(expected);
  expect(report).toMatchObject({ state: 'SUCCESS', progress: 1, totals: { identities, ...counts } });
  expect(policies).toEqual(byPolicy);
  for (const query of QUERIES) {
    const own = expected.filter((line) => meets(line, query));
    expect([query, await store.reports.countViolations(report, query)]).toEqual([query, own.length]);
    for (const offset of [0, 1, 3, own.length]) {
      const page = await store.reports.listViolations(report, query, { limit: 3, offset });
      const shown = page.map(({ policy, line }) => showReportLine(policy, line));
      expect([query, shown]).toEqual([query, own.slice(offset, offset + 3)]);
    }
  }
}

const oneOfValues = (field: LineCondition['field'], ...values: readonly string[]): LineCondition => ({
  field,
  operator: 'in',
  values,
});

/** One condition at a time, each with every change, and some together. */
const QUERIES = ([null, 'new', 'same', 'gone'] as const).flatMap((change): (readonly LineCondition[])[] => {
  const own = change === null ? [] : [oneOfValues('change', change)];
  const others = [
    [],
    ...[[], ['p'], ['P', 'p_1', 'none']].map((ids) => [oneOfValues('policyId', ...ids)]),
    ...[[], ['none'], ['i-3'], ['i-0', 'i-4', 'i-11']].map((ids) => [oneOfValues('identityId', ...ids)]),
    [oneOfValues('level', 'HIGH', 'LOW')],
    [oneOfValues('excepted', 'true')],
    [oneOfValues('excepted', 'false')],
    [oneOfValues('excepted', 'false'), oneOfValues('excepted', 'true')],
    [oneOfValues('policyId', 'p', 'P'), oneOfValues('policyId', 'P', 'p_1')],
    [oneOfValues('identityId', 'i-1', 'i-2', 'i-3'), oneOfValues('identityId', 'i-3')],
    [
      oneOfValues('policyId', 'p', 'P'),
      oneOfValues('identityId', 'i-1', 'i-2'),
      oneOfValues('level', 'HIGH', 'CRITICAL'),
      oneOfValues('excepted', 'false'),
    ],
    [oneOfValues('level', 'CRITICAL', 'MEDIUM'), oneOfValues('excepted', 'true')],
  ];
  return others.map((conditions) => [...own, ...conditions]);
});

const meets = (line: SodReportViolation, conditions: readonly LineCondition[]): boolean =>
  conditions.every(({ field, values }) =>
    values.includes(field === 'excepted' ? String(line.exception !== null) : line[field]),
  );

describe('a report of a random company', () => {
  test.each(seeds(6))('has the findings of the plain rules (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const world = drawWorld(random);
    await importAll(store, 'acme', recordsOf(world));
    // Some policies change before the rulebook is compiled, some afterwards; another tenant has the same ids.
    await importAll(store, 'other', recordsOf(drawWorld(random)));
    const given = ['p', 'P', 'p-1', 'new', 'a-new'].filter(() => random(3) > 0).map((id) => drawPolicy(random, id));
    const known = new Set(world.policies.map(({ id }) => id));
    const dryRun = {
      add: given.filter(({ id }) => !known.has(id)),
      change: given.filter(({ id }) => known.has(id)),
      remove: ['_', '9'].filter((id) => known.has(id)),
    };
    const added = some(random, 3, () => oneOf(random, REFS.slice(0, 12)));
    const blastRadius = { kind: oneOf(random, ['role', 'accessProfile'] as const), id: '', add: added };
    const subject = blastRadius.kind === 'role' ? 'r-1' : 'ap-1';
    await store.reports.enqueue(newReport('scan'), 10);
    await store.reports.enqueue(newReport('dry', { kind: 'DRY_RUN', dryRun }), 10);
    const request = { ...blastRadius, id: subject };
    await store.reports.enqueue(newReport('blast', { kind: 'BLAST_RADIUS', blastRadius: request }), 10);
    await runAll();

    const scanned = world.people.flatMap((person) =>
      world.policies.flatMap((policy) => {
        const conflict = conflictOf(policy, effective(person.access));
        return conflict === null ? [] : [lineOf('same', person, policy, conflict)];
      }),
    );
    await expectReport('scan', scanned, world.people.length);

    const touched = new Set([...given.map(({ id }) => id), ...dryRun.remove]);
    const differences = world.people.flatMap((person) =>
      [...touched].flatMap((id) => {
        const [before, after] = [world.policies, given].map((policies) => policies.find((policy) => policy.id === id));
        const held = effective(person.access);
        const was = before === undefined ? null : conflictOf(before, held);
        const is = after === undefined ? null : conflictOf(after, held);
        const named = after?.state === 'ENFORCED' ? after : before;
        if (after !== undefined && is !== null) return [lineOf(was === null ? 'new' : 'same', person, after, is)];
        return was !== null && named !== undefined ? [lineOf('gone', person, named, was)] : [];
      }),
    );
    await expectReport('dry', differences, world.people.length);

    const holders = world.people.filter(
      ({ access }) =>
        access.some(({ type, id }) =>
          (blastRadius.kind === 'role' ? type === 'ROLE' : type === 'ACCESS_PROFILE') ? id === subject : false,
        ) ||
        (blastRadius.kind === 'accessProfile' && access.some(({ type }) => type === 'ROLE')),
    );
    const newly = holders.flatMap((person) =>
      world.policies.flatMap((policy) => {
        const held = effective(person.access);
        const all = effective([...person.access, ...added]);
        const conflict = conflictOf(policy, held) === null ? conflictOf(policy, all, held) : null;
        return conflict === null ? [] : [lineOf('new', person, policy, conflict)];
      }),
    );
    await expectReport('blast', newly, holders.length);
    expect(await store.reports.find('other', 'scan')).toBeNull();
  });
});

const COMPANY: readonly AccessModelRecord[] = [
  ...catalogue,
  ...['i-1', 'i-2', 'i-3'].map((id) => identity(id, id, REFS.slice(0, 2))),
  policyRecord(policyOf('p', [['a'], ['B']])),
];

describe('a report', () => {
  test('has no findings for a tenant without data', async () => {
    await store.reports.enqueue(newReport('scan'), 10);
    await runAll();
    await expectReport('scan', [], 0);
    expect(await store.reports.find('acme', 'scan')).toMatchObject({ policySetVersion: 0, asOf: expect.any(String) });
  });

  test('is as of one instant: commits while it runs have no effect', async () => {
    await importAll(store, 'acme', COMPANY);
    await store.reports.enqueue(newReport('scan'), 10);
    let isFirst = true;
    const loop = start({
      reports: {
        ...store.reports,
        openSource: async (tenant) => {
          const source = await store.reports.openSource(tenant);
          const gone: AccessModelRecord = { kind: 'identity', id: 'i-2', delete: true };
          const changed = policyRecord(policyOf('p', [['a'], ['Z']]));
          if (isFirst) await importAll(store, 'acme', [gone, changed]);
          isFirst = false;
          return source;
        },
      },
    });
    await loop.idle();
    expect((await readAll(store, 'scan')).report).toMatchObject({
      policySetVersion: 1,
      totals: { identities: 3, same: 3 },
    });
    await store.reports.enqueue(newReport('later'), 10);
    loop.resume();
    await loop.idle();
    expect((await readAll(store, 'later')).report).toMatchObject({
      policySetVersion: 2,
      totals: { identities: 2, same: 0 },
    });
  });

  test('is stored only by the worker that has taken it over', async () => {
    await importAll(store, 'acme', COMPANY);
    await store.reports.enqueue(newReport('scan'), 10);
    const first = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: LEASE_MS });
    if (first === null) throw new Error('there is nothing to claim');
    const line = {
      number: 0,
      identityId: 'i-0',
      displayName: null,
      change: 'same',
      items: [1, 3],
      exception: null,
    } as const;
    expect(await store.reports.saveViolations(first, [line], clock.nowMs + LEASE_MS)).toBe(true);
    expect(await store.reports.claim({ nowMs: clock.nowMs, leaseMs: LEASE_MS })).toBeNull();
    clock.nowMs += LEASE_MS + 1;
    await runAll();
    const { report, lines } = await readAll(store, 'scan');
    expect([report.state, lines.map(({ line }) => line.identityId)]).toEqual(['SUCCESS', ['i-1', 'i-2', 'i-3']]);
    const end = { state: 'ERROR', completed: NOW, totals: null, message: 'late' } as const;
    expect(await store.reports.saveViolations(first, [line], clock.nowMs)).toBe(false);
    expect(await store.reports.complete(first, end, 10)).toBe(false);
    expect((await readAll(store, 'scan')).report).toEqual(report);
  });

  test('is abandoned when its lease is lost', async () => {
    await importAll(store, 'acme', COMPANY);
    await store.reports.enqueue(newReport('scan'), 10);
    const takeOver = async () => {
      clock.nowMs += LEASE_MS + 1;
      const taken = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: LEASE_MS });
      expect(taken?.attempts).toBe(2);
    };
    // The lease is due again while the other worker claims the report.
    let takenOver: Promise<void> | null = null;
    const loop = start({
      reports: {
        ...store.reports,
        renew: async (key, progress) => {
          takenOver ??= takeOver();
          await takenOver;
          return store.reports.renew(key, progress);
        },
      },
    });
    await loop.idle();
    expect(loop.logged.join('')).toMatch(/"outcome":"lost","msg":"report"/);
    expect(await store.reports.find('acme', 'scan')).toMatchObject({ state: 'RUNNING' });
  });

  test('is tried five times when it fails, and then ends in ERROR', async () => {
    await importAll(store, 'acme', COMPANY);
    await store.reports.enqueue(newReport('scan'), 10);
    let tries = 0;
    const loop = start({
      reports: {
        ...store.reports,
        openSource: async () => {
          tries += 1;
          throw new Error('a bug');
        },
      },
    });
    for (let round = 0; round < 10; round++) {
      await loop.idle();
      clock.nowMs += 60_000;
      loop.resume();
    }
    await loop.idle();
    expect(tries).toBe(5);
    expect(await store.reports.find('acme', 'scan')).toMatchObject({
      state: 'ERROR',
      message: 'The report failed 5 times.',
      totals: null,
      completed: expect.any(String),
    });
  });

  test('ends in ERROR after it has crashed five workers', async () => {
    await store.reports.enqueue(newReport('scan'), 10);
    for (let tries = 0; tries < 5; tries++) {
      expect(await store.reports.claim({ nowMs: clock.nowMs, leaseMs: LEASE_MS })).not.toBeNull();
      clock.nowMs += LEASE_MS + 1;
    }
    await runAll();
    expect(await store.reports.find('acme', 'scan')).toMatchObject({ state: 'ERROR' });
  });

  test('can be claimed at once after a stopping worker has released it, and the attempt does not count', async () => {
    await importAll(store, 'acme', COMPANY);
    await store.reports.enqueue(newReport('scan'), 10);
    const loop = start({
      reports: {
        ...store.reports,
        openSource: async (tenant) => {
          loop.stop();
          return store.reports.openSource(tenant);
        },
      },
    });
    await loop.ended;
    const claimed = await store.reports.claim({ nowMs: clock.nowMs, leaseMs: LEASE_MS });
    expect(claimed).toMatchObject({ reportId: 'scan', attempts: 1, fence: 3 });
  });

  test('ends in ERROR if its role was deleted in the meantime', async () => {
    await importAll(store, 'acme', COMPANY);
    const blastRadius = { kind: 'role', id: 'r-9', add: [{ type: 'ENTITLEMENT', id: 'gone' }] } as const;
    await store.reports.enqueue(newReport('blast', { kind: 'BLAST_RADIUS', blastRadius }), 10);
    await runAll();
    expect(await store.reports.find('acme', 'blast')).toMatchObject({
      state: 'ERROR',
      message: 'What the report is about does not exist any more: ROLE r-9, ENTITLEMENT gone.',
    });
  });
});

describe('checks', () => {
  test('do not wait for a report: they are concluded in its pauses', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => identity(`i-${at}`, null, REFS.slice(0, 2)));
    await importAll(store, 'acme', [...COMPANY, ...many]);
    await store.reports.enqueue(newReport('scan'), 10);
    const order: string[] = [];
    let pages = 0;
    let busyMs = 0;
    const loop = start({
      // After each step the event loop turns.
      busyMs: () => {
        busyMs += 5;
        return busyMs;
      },
      reader: createSodReader(store.sod),
      populations: createPopulations({ bytesMax: 1e9, shardSize: 1e5 }),
      reports: {
        ...store.reports,
        openSource: async (tenant) => {
          const source = await store.reports.openSource(tenant);
          const identities: typeof source.identities = async function* (range) {
            for await (const page of source.identities(range)) {
              pages += 1;
              order.push('page');
              // Work is looked for from time to time only.
              clock.nowMs += 25;
              const check = { ...newCheck(`r-${pages}`), accessRefs: [] };
              await store.checks.enqueue(check, 100);
              loop.wake();
              // The report goes on once an earlier check is stored, so it would wait for ever if checks waited for it.
              const countChecks = () => {
                clock.nowMs += 25;
                return order.filter((what) => what === 'check').length;
              };
              await expect.poll(countChecks).toBeGreaterThanOrEqual(pages - 2);
              yield page;
            }
          };
          return { ...source, identities };
        },
      },
      checks: {
        ...store.checks,
        complete: (completions) => {
          order.push(...completions.map(() => 'check'));
          return store.checks.complete(completions);
        },
      },
    });
    await loop.idle();
    expect(pages).toBeGreaterThan(4);
    expect(order.filter((what) => what === 'check')).toHaveLength(pages);
  });
});

describe('the queue of reports', () => {
  const scanOf = (tenant: string, reportId: string, created = NOW) => newReport(reportId, { tenant, created });

  test('serves tenants in turn, and the oldest report of each first', async () => {
    for (const id of ['a-1', 'a-2', 'a-3']) await store.reports.enqueue(scanOf('a', id), 10);
    await store.reports.enqueue(scanOf('b', 'b-1', '2026-03-01T12:00:05.000Z'), 10);
    await store.reports.enqueue(scanOf('a', 'a-0', '2026-03-01T11:00:00.000Z'), 10);
    const order: (string | undefined)[] = [];
    const claimNext = (held: readonly string[] = []) =>
      store.reports.claim({ nowMs: ++clock.nowMs, leaseMs: LEASE_MS, held });
    const end = { state: 'ERROR', completed: NOW, totals: null, message: 'ended' } as const;
    const first = await claimNext();
    const second = await claimNext();
    // The worker has one of each tenant.
    expect(await claimNext(['a', 'b'])).toBeNull();
    for (let claimed = first; claimed !== null; claimed = await claimNext(['b'])) {
      order.push(claimed.reportId);
      await store.reports.complete(claimed, end, 10);
    }
    expect([second?.reportId, ...order]).toEqual(['b-1', 'a-0', 'a-1', 'a-2', 'a-3']);
  });

  test('holds at most the given number of reports of a tenant', async () => {
    for (const id of ['a-1', 'a-2']) expect(await store.reports.enqueue(scanOf('a', id), 2)).toBe('stored');
    expect(await store.reports.enqueue(scanOf('a', 'a-3'), 2)).toBe('backlogFull');
    expect(await store.reports.enqueue(scanOf('b', 'b-1'), 2)).toBe('stored');
    expect((await store.reports.measureBacklog()).depth).toBe(3);
    await runAll();
    expect((await store.reports.measureBacklog()).depth).toBe(0);
    expect(await store.reports.enqueue(scanOf('a', 'a-3'), 2)).toBe('stored');
  });

  test('drops finished reports after a week, and all but the latest fifty of a tenant', async () => {
    await importAll(store, 'acme', COMPANY);
    for (let at = 0; at < 52; at++) {
      await store.reports.enqueue(newReport(`r-${at}`), 10);
      await runAll();
      clock.nowMs += 1_000;
    }
    const found = async (id: string) => (await store.reports.find('acme', id)) !== null;
    expect([await found('r-0'), await found('r-1'), await found('r-2')]).toEqual([false, false, true]);
    clock.nowMs += 7 * 24 * 3_600_000 - 10_000;
    await runAll();
    expect([await found('r-2'), await found('r-51')]).toEqual([false, true]);
    clock.nowMs += 70_000;
    await runAll();
    expect(await found('r-51')).toBe(false);
    expect(await store.reports.removeExpired(new Date(clock.nowMs).toISOString())).toBe(false);
  });
});

test.each(['before', 'after'])(
  'a change that is committed just %s the data of a report are opened is in it, or later than its instant',
  async (when) => {
    const held = (id: string) =>
      identity(id, null, [
        { type: 'ENTITLEMENT', id: 'a' },
        { type: 'ENTITLEMENT', id: 'b' },
      ]);
    await importAll(store, 'acme', [...catalogue, policyRecord(policyOf('p', [['a'], ['b']])), held('first')]);
    const instant = () => new Date(++clock.nowMs).toISOString();
    let change = { begun: '', answered: '' };
    const openSource: Store['reports']['openSource'] = async (tenant) => {
      if (change.begun !== '') return store.reports.openSource(tenant);
      const source = when === 'after' ? await store.reports.openSource(tenant) : null;
      const begun = instant();
      await importAll(store, 'acme', [held('second')]);
      change = { begun, answered: instant() };
      return source ?? store.reports.openSource(tenant);
    };
    await store.reports.enqueue(newReport('r-1'), 1);
    await start({ reports: { ...store.reports, openSource } }).idle();
    const { asOf, totals } = (await store.reports.find('acme', 'r-1')) ?? {};
    if (totals?.identities === 2) expect((asOf ?? '') >= change.begun).toBe(true);
    else expect((asOf ?? '') < change.answered).toBe(true);
  },
);
