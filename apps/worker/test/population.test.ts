import { type AccessModelRecord, showReportLine, type TimedAccessRef } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { createSodReader, type NewReport, openStore, type ReportSource, type Store } from '@access-admin/store';
import { DEPTH } from '@access-admin/test-depth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Pause, WorkStopped } from '../src/leased/pause.ts';
import { createPopulations, type Population, type PopulationLimits } from '../src/reports/population.ts';
import { driveLoop, START_MS } from './drive-loop.ts';
import { createRandom, identity, importAll, newReport, policyOf, policyRecord, readAll } from './report-world.ts';
import { migrate } from './sample-store.ts';

let store: Store;
let remove: () => Promise<void>;
let reads: string[];

beforeEach(async () => {
  const database = await createEngineDatabase(undefined, migrate);
  remove = database.remove;
  store = await openStore(database.url);
  reads = [];
});

afterEach(async () => {
  await store.close();
  await remove();
});

/** A worker that makes one report after the other and records what it reads of identities. */
function startWorker(limits: PopulationLimits) {
  const clock = { nowMs: START_MS };
  const populations = createPopulations(limits);
  const loop = driveLoop(store, clock, {
    populations,
    reports: {
      ...store.reports,
      openSource: async (tenant) => {
        const source = await store.reports.openSource(tenant);
        const noting =
          (name: 'identities' | 'identityIds' | 'identitiesSince') =>
          (...given: unknown[]) => {
            reads.push(name);
            return Reflect.apply(source[name], source, given);
          };
        return {
          ...source,
          identities: noting('identities') as typeof source.identities,
          identityIds: noting('identityIds') as typeof source.identityIds,
          identitiesSince: noting('identitiesSince') as typeof source.identitiesSince,
        };
      },
    },
  });
  return {
    loop,
    clock,
    /** All lines of a report, by default of a scan. */
    scan: async (reportId: string, fields: Partial<NewReport> = {}) => {
      const asked = newReport(reportId, fields);
      reads = [];
      await loop.idle();
      await store.reports.enqueue(asked, 10);
      loop.resume();
      await loop.idle();
      const { report, lines } = await readAll(store, reportId, asked.tenant);
      expect([report.state, loop.logged.filter((line) => line.includes('failed'))]).toEqual(['SUCCESS', []]);
      return { totals: report.totals, lines: lines.map(({ policy, line }) => showReportLine(policy, line)) };
    },
    /** Begins to take in changes and stops after a number of pauses. */
    giveUp: async (pauseCount: number) => {
      await using source = await store.reports.openSource('acme');
      using population = populations.open('acme');
      let pauses = 0;
      const pause = async () => {
        if (pauses++ === pauseCount) throw new WorkStopped();
      };
      await takeIn(population, source, pause).catch((error) => expect(error).toBeInstanceOf(WorkStopped));
    },
    stop: async () => {
      loop.stop();
      await loop.ended;
    },
  };
}

async function takeIn(population: Population, source: ReportSource, pause: Pause): Promise<void> {
  await population.refresh(source, pause);
  for (let number = 0; number < population.shardCount; number++) await population.open(number, source, pause);
}

const ENTITLEMENTS = ['a', 'b', 'c', 'd', 'e', 'f'];
const CATALOGUE: readonly AccessModelRecord[] = [
  ...ENTITLEMENTS.map((id) => ({ kind: 'entitlement', id, name: id, source: null }) as const),
  { kind: 'accessProfile', id: 'ap', name: 'ap', entitlements: ['a', 'b'] },
  { kind: 'role', id: 'r', name: 'r', entitlements: ['c'], accessProfiles: ['ap'] },
  { kind: 'identityProfile', id: 'ip', name: 'Employees' },
  ...['a', 'c'].map((id) =>
    policyRecord(
      policyOf(`p-${id}`, [
        [id, 'f'],
        ['b', 'd'],
      ]),
    ),
  ),
  policyRecord(policyOf('wide', [['a'], ['c'], ['e', 'f']], { atLeast: 3 })),
];
const HOLDS_TWO = ['a', 'b'].map((id) => ({ type: 'ENTITLEMENT' as const, id }));

const DAY_MS = 24 * 3_600_000;
const NOTHING_KEPT = { bytesMax: 0, shardSize: 1_000 };

function drawAccess(random: (end: number) => number): readonly TimedAccessRef[] {
  const ids = ENTITLEMENTS.filter(() => random(3) === 0);
  const refs: TimedAccessRef[] = ids.map((id) => ({ type: 'ENTITLEMENT', id }));
  if (random(6) === 0) refs.push({ type: 'ROLE', id: 'r' });
  if (random(6) === 0) refs.push({ type: 'ACCESS_PROFILE', id: 'ap' });
  const instant = () => `2026-0${1 + random(6)}-01T00:00:00.000Z`;
  const end = instant();
  return random(4) > 0 ? refs : refs.map((ref) => (random(2) === 0 ? { ...ref, end } : { ...ref, start: end }));
}

/** Reports of all kinds. */
function drawReport(random: (end: number) => number): Partial<NewReport> {
  const add = ['d', 'f'].map((id) => ({ type: 'ENTITLEMENT' as const, id }));
  if (random(4) === 0) return { kind: 'BLAST_RADIUS', blastRadius: { kind: 'accessProfile', id: 'ap', add } };
  if (random(4) === 0) return { kind: 'BLAST_RADIUS', blastRadius: { kind: 'role', id: 'r', add } };
  if (random(3) > 0) return {};
  const dryRun = {
    add: [policyOf('p-new', [['a'], ['c']])],
    change: [policyOf('p-a', [['b'], ['e']])],
    remove: ['p-c'],
  };
  return { kind: 'DRY_RUN', dryRun };
}

describe('a population in memory', () => {
  test.each([
    ['all of it', { bytesMax: 1e9, shardSize: 5 }],
    ['some of it', { bytesMax: 9_000, shardSize: 5 }],
    ['in one shard', { bytesMax: 1e9, shardSize: 1_000 }],
  ])('follows every change: %s', async (_, limits) => {
    const random = createRandom(limits.shardSize + limits.bytesMax);
    const personOf = (number: number) =>
      identity(`i-${number}`, random(2) === 0 ? null : `é ${random(9)}`, drawAccess(random));
    await importAll(store, 'acme', [
      ...CATALOGUE,
      ...Array.from({ length: 30 }, (_unused, number) => personOf(number)),
    ]);
    const kept = startWorker(limits);
    const fresh = startWorker(NOTHING_KEPT);
    await kept.loop.idle();
    let found = 0;
    const rounds = DEPTH === 'full' ? 25 : 10;
    for (let round = 0; round < rounds; round++) {
      const changed = new Set(Array.from({ length: random(round % 5 === 4 ? 40 : 4) }, () => random(45)));
      const records = Array.from(
        changed,
        (number): AccessModelRecord =>
          random(3) === 0 ? { kind: 'identity', id: `i-${number}`, delete: true } : personOf(number),
      );
      if (random(4) === 0) records.push(policyRecord(policyOf('p-a', [['a'], [ENTITLEMENTS[1 + random(5)] ?? 'b']])));
      if (random(8) === 0) records.push({ kind: 'entitlement', id: `a${round}`, name: 'first', source: null });
      const half = random(records.length + 1);
      await importAll(store, 'acme', records.slice(0, half));
      await kept.giveUp(random(12));
      await importAll(store, 'acme', records.slice(half));
      const asked = drawReport(random);
      for (const { clock } of [kept, fresh]) clock.nowMs += 5 * DAY_MS;
      const lines = await kept.scan(`kept-${round}`, asked);
      await kept.loop.idle();
      expect(lines).toEqual(await fresh.scan(`fresh-${round}`, asked));
      found += lines.lines.length;
    }
    expect(found).toBeGreaterThan(rounds);
    await Promise.all([kept.stop(), fresh.stop()]);
  });

  const people = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => identity(`i-${String(from + at).padStart(5, '0')}`, null, HOLDS_TWO));
  const scanAfter = async (worker: ReturnType<typeof startWorker>, changes: readonly AccessModelRecord[]) => {
    if (changes.length > 0) await importAll(store, 'acme', changes);
    const { totals } = await worker.scan(crypto.randomUUID());
    return { identities: totals?.identities, same: totals?.same, reads: [...new Set(reads)] };
  };

  test('is read once; afterwards only changes are read', async () => {
    await importAll(store, 'acme', [...CATALOGUE, ...people(0, 200)]);
    const worker = startWorker({ bytesMax: 1e9, shardSize: 50 });
    expect(await scanAfter(worker, [])).toEqual({ identities: 200, same: 200, reads: ['identities'] });
    expect(await scanAfter(worker, [])).toEqual({ identities: 200, same: 200, reads: [] });
    expect(await scanAfter(worker, [identity('i-00003', null, [])])).toEqual({
      identities: 200,
      same: 199,
      reads: ['identitiesSince'],
    });
    const gone = ['i-00003', 'i-00199'].map((id) => ({ kind: 'identity', id, delete: true }) as const);
    expect(await scanAfter(worker, gone)).toEqual({
      identities: 198,
      same: 198,
      reads: ['identitiesSince', 'identityIds'],
    });
    // The last shard is read again and is split in two.
    expect(await scanAfter(worker, people(200, 40))).toEqual({
      identities: 238,
      same: 238,
      reads: ['identitiesSince', 'identities'],
    });
    expect(await scanAfter(worker, [])).toEqual({ identities: 238, same: 238, reads: [] });
    await worker.stop();
  });

  test('drops other tenants to make room', async () => {
    await importAll(store, 'acme', [...CATALOGUE, ...people(0, 200)]);
    await importAll(store, 'other', [...CATALOGUE, ...people(0, 200)]);
    const worker = startWorker({ bytesMax: 5_000, shardSize: 50 });
    await worker.scan('first');
    await worker.scan('again');
    expect(reads).toEqual([]);
    await worker.scan('first', { tenant: 'other' });
    await worker.scan('again', { tenant: 'other' });
    expect(reads).toEqual([]);
    await worker.scan('later');
    expect(reads).toContain('identities');
    await worker.stop();
  });

  test('is dropped when it exceeds the limit, including unused refs', async () => {
    const more = Array.from({ length: 3_000 }, (_, number) => `more-${number}`);
    await importAll(store, 'acme', [
      ...CATALOGUE,
      ...people(0, 200),
      ...more.map((id) => ({ kind: 'entitlement', id, name: id, source: null }) as const),
    ]);
    const worker = startWorker({ bytesMax: 60_000, shardSize: 50 });
    await scanAfter(worker, []);
    expect(await scanAfter(worker, [])).toMatchObject({ reads: [] });
    const holdsMore = more.map((id) => ({ type: 'ENTITLEMENT' as const, id }));
    expect(await scanAfter(worker, [identity('i-00003', null, holdsMore)])).toEqual({
      identities: 200,
      same: 199,
      reads: ['identitiesSince', 'identities'],
    });
    await scanAfter(worker, [identity('i-00003', null, [])]);
    expect(await scanAfter(worker, [])).toEqual({ identities: 200, same: 199, reads: [] });
    await worker.stop();
  });

  test('caches the access that grants entitlements of one catalogue at a time', async () => {
    await importAll(store, 'acme', CATALOGUE);
    const reader = createSodReader(store.sod);
    const { catalogue } = (await reader.read('acme', '')).index;
    const populations = createPopulations({ bytesMax: 1e9, shardSize: 50 });
    using population = populations.open('acme');
    const first = population.grantingRefs(catalogue);
    expect(population.grantingRefs(catalogue)).toBe(first);
    expect(population.grantingRefs({ ...catalogue })).not.toBe(first);
    expect(population.grantingRefs(catalogue)).not.toBe(first);
  });
});
