import { REPORTS_AT_ONCE_MAX } from '@access-admin/contract';
import type { CheckQueue, ReportStore } from '@access-admin/store';
import { createSodReader, type SodReader } from '@access-admin/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DrivenLoop, driveLoop, LEASE_MS, START_MS, type TestClock } from './drive-loop.ts';
import { importAll, NOW, newReport } from './report-world.ts';
import { enqueueAll, type NewStore, newCheck, openSampleStore, outcomeOf, SAMPLE } from './sample-store.ts';

const HEAVY_MS = 48;
const OTHER = 'other';

let sample: NewStore;
/** Its time passes by work only. */
let clock: TestClock;
const loops: DrivenLoop[] = [];

beforeEach(async () => {
  sample = await openSampleStore();
  await importAll(sample.store, OTHER, SAMPLE);
  clock = { nowMs: START_MS };
});

afterEach(async () => {
  for (const loop of loops.splice(0)) {
    loop.stop();
    await loop.ended;
  }
  await sample[Symbol.asyncDispose]();
});

function start(overrides: Parameters<typeof driveLoop>[2] = {}): DrivenLoop {
  const loop = driveLoop(sample.store, clock, { busyMs: () => clock.nowMs - START_MS, ...overrides });
  loops.push(loop);
  return loop;
}

interface Reads {
  /** The tenant whose checks take as long as those of 500 windows each. */
  readonly heavy: string;
  onHeavy(count: number): Promise<void>;
  onOther(): void;
}

function heavyReader({ heavy, onHeavy, onOther }: Reads): SodReader {
  const reader = createSodReader(sample.store.sod);
  let count = 0;
  return {
    read: async (tenant, identityId) => {
      if (tenant === heavy) {
        count += 1;
        clock.nowMs += HEAVY_MS;
        await onHeavy(count);
      } else onOther();
      return reader.read(tenant, identityId);
    },
  };
}

describe('a tenant with 2,000 heavy checks', () => {
  test('has none but the next claim, and a few of its checks, between a check of another tenant and its work', async () => {
    const { store } = sample;
    await enqueueAll(
      store,
      Array.from({ length: 2_000 }, (_, at) => newCheck(`heavy-${at}`)),
    );
    const claimsBefore: number[] = [];
    const heavyBefore: number[] = [];
    let heavy = 0;
    let claims = 0;
    let claimsAtEnqueue = 0;
    let heavyAtClaim = 0;
    const reader = heavyReader({
      heavy: 'acme',
      onHeavy: async (count) => {
        heavy = count;
        if (count % 200 !== 100) return;
        await enqueueAll(store, [newCheck(`r-${count}`, { tenant: OTHER })]);
        claimsAtEnqueue = claims;
        loop.wake();
      },
      onOther: () => void heavyBefore.push(heavy - heavyAtClaim),
    });
    const claim: CheckQueue['claim'] = async (request) => {
      claims += 1;
      const before = claims - 1;
      const claimed = await store.checks.claim(request);
      if (claimed.some(({ tenant }) => tenant === OTHER)) {
        claimsBefore.push(before - claimsAtEnqueue);
        heavyAtClaim = heavy;
      }
      return claimed;
    };
    const loop = start({ reader, checks: { ...store.checks, claim } });
    let left = Number.POSITIVE_INFINITY;
    let unchanged = 0;
    const depth = async () => {
      const backlog = await store.checks.measureBacklog();
      unchanged = backlog.depth === left ? unchanged + 1 : 0;
      left = backlog.depth;
      // After a failure of a busy server the loop waits by this clock, which only checks move.
      if (unchanged > 100) clock.nowMs += 1_000;
      return left;
    };
    await expect.poll(depth, { timeout: 240_000 }).toBe(0);
    expect(claimsBefore).toHaveLength(10);
    expect(Math.max(...claimsBefore)).toBeLessThanOrEqual(0);
    expect(Math.max(...heavyBefore)).toBeLessThanOrEqual(6);
  });
});

const TENANT = 'acme';

describe('20 scans of one tenant', () => {
  test('leave a scan of another its turn, and one of a tenant is under way at a time', async () => {
    const { store } = sample;
    for (let number = 0; number < 20; number++) await store.reports.enqueue(newReport(`scan-${number}`), 20);
    await store.reports.enqueue(newReport('mine', { tenant: OTHER }), 20);
    const underway: string[] = [];
    const most: number[] = [];
    const begun: string[] = [];
    const ended: string[] = [];
    const reports: ReportStore = {
      ...store.reports,
      claim: async (request) => {
        const claimed = await store.reports.claim(request);
        if (claimed !== null) {
          begun.push(claimed.tenant);
          underway.push(claimed.tenant);
        }
        expect(new Set(underway).size).toBe(underway.length);
        most.push(underway.length);
        return claimed;
      },
      complete: async (key, ...rest) => {
        ended.push(key.reportId);
        const isStored = await store.reports.complete(key, ...rest);
        underway.splice(underway.indexOf(key.tenant), 1);
        return isStored;
      },
    };
    const openSource: ReportStore['openSource'] = (tenant) => {
      // Time for other reports to be claimed.
      clock.nowMs += 250;
      return store.reports.openSource(tenant);
    };
    start({ reports: { ...reports, openSource } });
    await expect.poll(() => ended.length).toBe(21);
    // The second to begin at the latest. How soon it ends depends on the database: only the other tenant's data are in memory.
    expect(begun.indexOf(OTHER)).toBeLessThanOrEqual(1);
    expect(Math.max(...most)).toBe(2);
    const stateOf = async (id: string) => (await store.reports.find(TENANT, id))?.state;
    await expect.poll(() => stateOf('scan-19')).toBe('SUCCESS');
  });

  test('as many of different tenants are under way as there is room for', async () => {
    const { store } = sample;
    const tenants = Array.from({ length: REPORTS_AT_ONCE_MAX + 3 }, (_, number) => `tenant-${number}`);
    for (const tenant of tenants) {
      await importAll(store, tenant, SAMPLE);
      await store.reports.enqueue(newReport('scan', { tenant }), 20);
    }
    let open = 0;
    let most = 0;
    const reports: ReportStore = {
      ...store.reports,
      claim: async (request) => {
        const claimed = await store.reports.claim(request);
        if (claimed !== null) open += 1;
        most = Math.max(most, open);
        return claimed;
      },
      complete: async (...given) => {
        const isStored = await store.reports.complete(...given);
        open -= 1;
        return isStored;
      },
    };
    start({
      reports: {
        ...reports,
        openSource: async (tenant) => {
          clock.nowMs += 250;
          return store.reports.openSource(tenant);
        },
      },
    });
    const stateOf = async (tenant: string) => (await store.reports.find(tenant, 'scan'))?.state;
    for (const tenant of tenants) await expect.poll(() => stateOf(tenant)).toBe('SUCCESS');
    expect(most).toBeLessThanOrEqual(REPORTS_AT_ONCE_MAX);
    expect(most).toBeGreaterThan(1);
  });
});

describe('work beyond its bound', () => {
  test('ends a report in ERROR at its first attempt, which names the bound', async () => {
    const { store } = sample;
    await store.reports.enqueue(newReport('scan'), 20);
    const loop = start({
      reports: {
        ...store.reports,
        openSource: async (tenant) => {
          const source = await store.reports.openSource(tenant);
          clock.nowMs += 10 * 60_000 + 1;
          return source;
        },
      },
    });
    await loop.idle();
    expect(await store.reports.find(TENANT, 'scan')).toMatchObject({
      state: 'ERROR',
      message: 'The report needs more than 10 min of work.',
    });
  });
});

describe('memory beyond its bound', () => {
  const failing = async (): Promise<string | null | undefined> => {
    const loop = loops.at(-1);
    await loop?.idle();
    return (await sample.store.reports.find(TENANT, 'scan'))?.message;
  };

  test('of exceptions ends a report in ERROR at its first attempt', async () => {
    const { store } = sample;
    await store.reports.enqueue(newReport('scan'), 20);
    const page = Array.from({ length: 500 }, (_, at) => ({
      id: `x-${at}`,
      policyId: 'p-1',
      identityId: `i-${at}`,
      start: NOW,
      end: '9999-01-01T00:00:00.000Z',
      approved: NOW,
      terms: '',
      items: [],
    }));
    let pages = 0;
    start({
      reports: {
        ...store.reports,
        openSource: async (tenant) => ({
          ...(await store.reports.openSource(tenant)),
          approvedExceptions: async function* () {
            for (; ; pages++) yield page;
          },
        }),
      },
    });
    expect(await failing()).toBe(
      'The report needs more memory than it has: there are more than 200000 approved exceptions.',
    );
    expect(pages).toBe(400);
  });
});

describe('a check that ends the process', () => {
  test('is tried five times, alone from the third on, so that other checks and reports end', async () => {
    const { store } = sample;
    const others = ['r-1', 'r-2', 'r-3'];
    await enqueueAll(store, [newCheck('r-0', { identityId: 'deadly' }), ...others.map((id) => newCheck(id))]);
    await store.reports.enqueue(newReport('scan', { tenant: OTHER }), 20);
    for (let crash = 1; crash <= 5; crash++) await crashOnce();
    clock.nowMs += LEASE_MS;
    await start().idle();
    expect(await outcomeOf(store, 'r-0')).toBe('ERROR The check failed 5 times.');
    for (const id of others) expect(await outcomeOf(store, id)).toBe('SUCCESS p-1');
    expect(await store.reports.find(OTHER, 'scan')).toMatchObject({ state: 'SUCCESS' });
  });

  /** Runs a loop up to the deadly check; then its calls of the store never end, and its leases run out. */
  async function crashOnce(): Promise<void> {
    const { store } = sample;
    const { promise: crashed, resolve: crash } = Promise.withResolvers<void>();
    let isCrashed = false;
    const never = new Promise<never>(() => {});
    const mortal = <T extends object>(methods: T): T => {
      const calls = Object.entries(methods).map(([name, method]) => {
        const call = (...given: unknown[]) => (isCrashed ? never : Reflect.apply(method, methods, given));
        return [name, call] as const;
      });
      return Object.fromEntries(calls) as T;
    };
    const reader = createSodReader(store.sod);
    driveLoop(store, clock, {
      checks: mortal(store.checks),
      reports: mortal(store.reports),
      reader: {
        read: async (tenant, identityId) => {
          if (identityId === 'deadly') {
            isCrashed = true;
            crash();
            return never;
          }
          return isCrashed ? never : reader.read(tenant, identityId);
        },
      },
    });
    await crashed;
    clock.nowMs += LEASE_MS + 1;
  }
});
