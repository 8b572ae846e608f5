import { setImmediate } from 'node:timers/promises';
import { LONG_CHECKS_MAX, type SodInclude } from '@access-admin/domain';
import { createScheduler, createSemaphore } from '@access-admin/scheduling';
import type { ClaimedCheck } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { CHECK_TOO_LONG, CHECK_WORK_MS_MAX } from '../claims/bounds.ts';
import { createMeter } from '../leased/meter.ts';
import { createConcludeJob } from './conclude.ts';
import { type CheckConclusion, type CheckJob, holdCheck } from './held.ts';
import type { Settlement } from './settle.ts';
import { createTrials, type Trial } from './trials.ts';

const OUTCOME: CheckConclusion = { state: 'SUCCESS', result: '{}', verdict: null };

const claimOf = (tenant: string, requestId: string, includes: readonly SodInclude[] = []): ClaimedCheck => ({
  tenant,
  requestId,
  created: '2026-03-01T12:00:00.000Z',
  identityId: 'i',
  accessRefs: [],
  origin: null,
  clientMetadata: null,
  includes,
  fence: 1,
  attempts: 1,
});

const jobOf = (claims: readonly ClaimedCheck[], trial: Trial | null = null): CheckJob => ({
  tenant: claims[0]?.tenant ?? '',
  trial,
  checks: claims.map((claim) => holdCheck(claim, 0)),
});

/** Runs jobs whose checks are pieces of a millisecond, as many as `piecesOf` says; outcomes are stored at once. */
function open(
  piecesOf: (requestId: string) => number,
  hangs: (requestId: string) => boolean = () => false,
  beforeTrial = async () => {},
  whenFree: Settlement['whenFree'] = () => undefined,
) {
  const clock = { ms: 0 };
  const begun: string[] = [];
  const ended: string[] = [];
  const outcomes: string[] = [];
  const givenBack: string[] = [];
  const counted = new Map<string, number>();
  let underway = 0;
  let most = 0;
  const settlement: Settlement = {
    conclude: (check) => {
      outcomes.push(check.claim.requestId);
      check.end('success');
    },
    endInError: (check, message) => {
      outcomes.push(`${check.claim.requestId} ${message}`);
      check.end('success');
    },
    fail: (check) => {
      outcomes.push(`${check.claim.requestId} failed`);
      check.end('success');
    },
    flush: () => {},
    flushIfDue: () => {},
    whenFree,
    lockedTenants: () => new Set(),
    stop: () => {},
  };
  const trials = createTrials();
  const stopping = new AbortController();
  const run = createConcludeJob({
    meter: createMeter(() => clock.ms),
    yieldIfDue: createScheduler({ elapsed: () => clock.ms, dueAfterMs: 5 }).yieldIfDue,
    random: () => 1,
    wait: async () => {},
    queue: { giveBack: async (claims) => void givenBack.push(...claims.map(({ requestId }) => requestId)) },
    claims: { count: (tenant, ms) => void counted.set(tenant, (counted.get(tenant) ?? 0) + ms), release: () => true },
    settlement,
    trials,
    longChecks: createSemaphore({ capacity: LONG_CHECKS_MAX, tenantMax: 1, elapsed: () => clock.ms }),
    beforeTrial,
    runCheck: async ({ requestId, includes }, pause) => {
      begun.push(requestId);
      underway += includes.length;
      most = Math.max(most, underway);
      try {
        if (hangs(requestId)) await new Promise(() => {});
        for (let piece = 0; piece < piecesOf(requestId); piece++) {
          clock.ms += 1;
          await pause();
        }
        return OUTCOME;
      } finally {
        underway -= includes.length;
        ended.push(requestId);
      }
    },
    log: { error: () => {} },
  });
  const start = (job: CheckJob) => run(job, { signal: stopping.signal, onCapacity: () => {} });
  return { start, stopping, trials, begun, ended, outcomes, givenBack, counted, clock, most: () => most };
}

describe('jobs', () => {
  test('a long check of one tenant does not hold up short ones of another, and its time is counted', async () => {
    const { start, outcomes, counted } = open((id) => (id === 'long' ? 1_000 : 1));
    await Promise.all([
      start(jobOf([claimOf('a', 'long'), claimOf('a', 'after')])),
      start(jobOf([claimOf('b', 'b-1'), claimOf('b', 'b-2')])),
    ]);
    expect(outcomes).toEqual(['b-1', 'b-2', 'long', 'after']);
    expect([counted.get('a'), counted.get('b')]).toEqual([1_001, 2]);
  });

  test('one that ends with a bug does not hold up the next of its tenant', async () => {
    let isBroken = true;
    const { start, outcomes } = open(
      () => 1,
      undefined,
      undefined,
      () => {
        if (isBroken) throw new Error('a bug');
        return undefined;
      },
    );
    await expect(start(jobOf([claimOf('a', 'a-1')]))).rejects.toThrow('a bug');
    isBroken = false;
    await start(jobOf([claimOf('a', 'a-2')]));
    expect(outcomes).toEqual(['a-2']);
  });

  test('those of one tenant are concluded one after the other, in the order of their claims', async () => {
    const { start, outcomes } = open(() => 20);
    await Promise.all([
      start(jobOf([claimOf('a', 'a-1'), claimOf('a', 'a-2')])),
      start(jobOf([claimOf('a', 'a-3')])),
      start(jobOf([claimOf('b', 'b-1')])),
    ]);
    expect(outcomes.filter((id) => id.startsWith('a'))).toEqual(['a-1', 'a-2', 'a-3']);
    expect(outcomes.indexOf('b-1')).toBeLessThan(2);
  });

  test('a check that exceeds its time ends at once with an error of its own, and its work is ended', async () => {
    const { start, outcomes, ended, clock } = open((id) => (id === 'endless' ? Number.POSITIVE_INFINITY : 1));
    await start(jobOf([claimOf('a', 'endless'), claimOf('a', 'after')]));
    expect([outcomes, ended]).toEqual([
      [`endless ${CHECK_TOO_LONG}`, 'after'],
      ['endless', 'after'],
    ]);
    expect(clock.ms).toBeLessThanOrEqual(CHECK_WORK_MS_MAX + 10);
  });

  test('few checks with include are under way at a time, and others need not wait for them', async () => {
    const { start, outcomes, most } = open((id) => (id === 'other' ? 20 : 100));
    const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];
    const jobs = tenants.map((tenant) => jobOf([claimOf(tenant, tenant, ['via'])]));
    await Promise.all([...jobs, jobOf([claimOf('g', 'other')])].map(start));
    expect(most()).toBe(LONG_CHECKS_MAX);
    expect(outcomes).toEqual(['other', ...tenants]);
  });

  test('when the worker stops, what is not concluded is given back, even if a check waits for ever', async () => {
    const { start, stopping, outcomes, givenBack } = open(
      () => 1,
      (id) => id === 'hangs',
    );
    const job = start(jobOf(['done', 'hangs', 'next'].map((id) => claimOf('a', id))));
    await setImmediate();
    await setImmediate();
    stopping.abort();
    await job;
    expect([outcomes, givenBack]).toEqual([['done'], ['hangs', 'next']]);
  });

  test('a check that another worker has taken is dropped', async () => {
    const { start, outcomes, ended } = open((id) => (id === 'lost' ? 1_000 : 1));
    const job = jobOf([claimOf('a', 'lost'), claimOf('a', 'lost-too'), claimOf('a', 'held')]);
    const running = start(job);
    await setImmediate();
    await setImmediate();
    for (const check of job.checks.slice(0, 2)) check.end('success');
    await running;
    expect([outcomes, ended]).toEqual([['held'], ['lost', 'held']]);
  });
});

describe('a check that was claimed before', () => {
  test('is tried alone until it has worked for some time', async () => {
    const { start, trials, begun } = open(() => 40);
    const trial = trials.begin();
    const running = [start(jobOf([claimOf('a', 'again')], trial)), start(jobOf([claimOf('b', 'new')]))];
    await setImmediate();
    expect([begun, trials.isUnderWay()]).toEqual([['again'], true]);
    await Promise.all(running);
    expect([begun, trials.isUnderWay()]).toEqual([['again', 'new'], false]);
  });

  test('is given back when the reports that it could end cannot be told of it', async () => {
    const away = () => Promise.reject(new Error('away'));
    const { start, trials, begun, givenBack } = open(
      () => 1,
      () => false,
      away,
    );
    await start(jobOf([claimOf('a', 'again')], trials.begin()));
    expect([begun, givenBack, trials.isUnderWay()]).toEqual([[], ['again'], false]);
  });

  test('is tried although other checks of its tenant are under way', async () => {
    const { start, trials, outcomes } = open((id) => (id === 'again' ? 5 : 200));
    const running = start(jobOf([claimOf('a', 'long')]));
    await setImmediate();
    await Promise.all([running, start(jobOf([claimOf('a', 'again')], trials.begin()))]);
    expect(outcomes).toEqual(['again', 'long']);
  });
});
