import { setImmediate } from 'node:timers/promises';
import { type ArisingWork, TenantRemoved } from '@access-admin/store';
import { expect, test } from 'vitest';
import { createLeasedLoop, type LeasedWork, type LoopDeps } from './loop.ts';

const LEASE_MS = 1_000;

/** A loop over a kind of work whose jobs end when the test says so, after other kinds. */
function open(overrides: Partial<LeasedWork<string>> = {}, ...others: readonly LeasedWork<unknown>[]) {
  const clock = { ms: 0 };
  const pending: string[] = [];
  const ends = new Map<string, () => void>();
  const ended: string[] = [];
  /** For claims, and those of renewals and after failures. */
  const waits: number[] = [];
  const pauses: number[] = [];
  const current = new Set<{ readonly untilMs: number; readonly end: () => void }>();
  let passedMs = 0;
  const logged: string[] = [];
  let claims = 0;
  let notice = (_: ArisingWork | null) => {};
  const deps: LoopDeps = {
    now: () => clock.ms,
    onStorageFailure: () => {},
    random: () => 1,
    log: { error: (_fields: unknown, message?: string) => void logged.push(message ?? '') },
    onCommit: (listener) => {
      notice = listener;
      return () => {};
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          current.delete(wait);
          resolve();
        };
        const wait = { untilMs: passedMs + ms, end };
        current.add(wait);
        (signal === stopping.signal ? pauses : waits).push(ms);
        if (signal.aborted) end();
        signal.addEventListener('abort', end, { once: true });
      }),
  };
  const kind: LeasedWork<string> = {
    leaseMs: LEASE_MS,
    renewEveryMs: LEASE_MS / 4,
    arisesFrom: ['events'],
    idleMs: () => 500,
    claim: async () => {
      claims += 1;
      return pending.splice(0);
    },
    tenantOf: (job) => job,
    renew: async (jobs) => jobs,
    run: (job, { signal }) =>
      new Promise((resolve) => {
        const end = (how: string) => {
          ended.push(`${job} ${how}`);
          resolve();
        };
        ends.set(job, () => end('done'));
        signal.addEventListener('abort', () => end(String(signal.reason)), { once: true });
      }),
    ...overrides,
  };
  const stopping = new AbortController();
  const loop = createLeasedLoop([...others, kind], deps);
  const stopped = setImmediate().then(() => loop.run(stopping.signal));
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
  return {
    clock,
    pending,
    ends,
    ended,
    waits,
    pauses,
    logged,
    settle,
    claims: () => claims,
    /** So much time passes; by the clock, it may go back. */
    pass: async (ms: number) => {
      clock.ms += ms;
      passedMs += Math.abs(ms);
      for (const { untilMs, end } of [...current]) if (untilMs <= passedMs) end();
      await settle();
    },
    notice: async (arising: ArisingWork | null = null) => {
      notice(arising);
      await settle();
    },
    stop: async () => {
      stopping.abort();
      await stopped;
    },
  };
}

test('work is claimed at the start, after a commit, after the time that its kind says, and when a job has ended', async () => {
  const { pending, waits, claims, settle, notice, pass, ends, stop } = open();
  await settle();
  expect([claims(), waits]).toEqual([1, [500]]);
  await notice();
  expect(claims()).toBe(2);
  pending.push('a');
  await pass(500);
  expect(claims()).toBe(3);
  ends.get('a')?.();
  await settle();
  expect(claims()).toBe(4);
  await stop();
});

test('a commit leads to claims of the work that it may give', async () => {
  const { claims, settle, notice, stop } = open();
  await settle();
  await notice('checks');
  expect(claims()).toBe(1);
  await notice('events');
  expect(claims()).toBe(2);
  await stop();
});

test('the ends of jobs of other kinds do not put off the claim that is due after the time of the kind', async () => {
  const checks: string[] = [];
  const { claims, settle, notice, pass, stop } = open(
    {},
    {
      leaseMs: LEASE_MS,
      renewEveryMs: LEASE_MS / 4,
      arisesFrom: ['checks'],
      idleMs: () => 10_000,
      tenantOf: () => 'x',
      claim: async () => checks.splice(0),
      renew: async (jobs) => jobs,
      run: async () => {},
    },
  );
  await settle();
  for (let time = 0; time < 6; time++) {
    checks.push('c');
    await notice('checks');
    await pass(100);
  }
  expect(claims()).toBe(2);
  await stop();
});

test('the lease of a job whose tenant is being removed is lost, those of others are renewed, and nothing is logged', async () => {
  const { pending, ended, logged, settle, pass, stop } = open({
    renew: async (jobs) => {
      if (jobs.includes('gone')) throw new TenantRemoved('gone');
      return jobs;
    },
  });
  pending.push('a', 'gone', 'b');
  await settle();
  await pass(LEASE_MS / 4);
  expect(ended).toEqual(['gone lost']);
  expect(logged).toEqual([]);
  await stop();
});

test('while jobs are under way, commits in quick succession lead to one claim', async () => {
  const { pending, claims, settle, notice, pass, waits, stop } = open();
  pending.push('a');
  await settle();
  expect(claims()).toBe(1);
  await notice();
  await notice();
  expect([claims(), waits.at(-1)]).toEqual([1, 25]);
  await pass(25);
  expect([claims(), waits.at(-1)]).toEqual([2, 250]);
  await stop();
});

test.each([250, -250])(
  'leases are renewed when a quarter has passed, also when the clock jumps by %i ms',
  async (ms) => {
    const renewed: number[] = [];
    const { pending, settle, pass, stop } = open({
      renew: async (jobs, leaseEndMs) => {
        renewed.push(leaseEndMs);
        return jobs;
      },
    });
    pending.push('a');
    await settle();
    await pass(ms / 2);
    expect(renewed).toEqual([]);
    await pass(ms / 2);
    expect(renewed).toEqual([ms + LEASE_MS]);
    await stop();
  },
);

test('a job whose lease is lost is aborted, and so are all when the loop is stopped, which awaits them', async () => {
  const { pending, settle, pass, ended, stop } = open({ renew: async (jobs) => jobs.filter((job) => job !== 'lost') });
  pending.push('lost', 'held');
  await settle();
  await pass(250);
  expect(ended).toEqual(['lost lost']);
  await stop();
  expect(ended).toEqual(['lost lost', 'held stopped']);
});

test('the storage may fail: the loop waits, longer from failure to failure, and goes on', async () => {
  let failures = 2;
  const { waits, pauses, settle, pass, logged, stop } = open({
    claim: async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('away');
      return [];
    },
  });
  await settle();
  await pass(100);
  await pass(200);
  const ofFailures = pauses.filter((ms) => ms !== LEASE_MS / 4);
  expect([ofFailures, waits, logged]).toEqual([[100, 200], [500], ['the storage failed', 'the storage failed']]);
  await stop();
});

test('a claim that fails as its tenant is being removed is repeated like others, and nothing is logged', async () => {
  const { waits, pauses, settle, pass, logged, stop } = open({
    claim: () => Promise.reject(new TenantRemoved('gone')),
  });
  await settle();
  await pass(100);
  const ofFailures = pauses.filter((ms) => ms !== LEASE_MS / 4);
  expect([ofFailures, waits, logged]).toEqual([[100, 200], [], []]);
  await stop();
});

test('a job that fails does not end the loop', async () => {
  const { pending, settle, logged, claims, stop } = open({ run: () => Promise.reject(new Error('a bug')) });
  pending.push('a');
  await settle();
  expect([logged, claims()]).toEqual([['a job is left until its lease ends'], 2]);
  await stop();
});

test('while a job runs alone nothing else is claimed, until it ends that: it may wait for the storage', async () => {
  const endings: (() => void)[] = [];
  const { pending, claims, ended, settle, notice, pass, stop } = open({
    isAlone: (job) => job === 'suspect',
    run: (job, { signal, endAlone }) =>
      new Promise((resolve) => {
        if (job === 'suspect') endings.push(endAlone);
        signal.addEventListener('abort', () => {
          ended.push(job);
          resolve();
        });
      }),
  });
  pending.push('suspect');
  await settle();
  await notice();
  await pass(500);
  expect(claims()).toBe(1);
  for (const end of endings) end();
  await pass(500);
  expect(claims()).toBeGreaterThan(1);
  await stop();
  expect(ended).toEqual(['suspect']);
});

test('a kind of work whose claims fail holds up no other', async () => {
  const claimed = ['a'];
  const { ended, logged, stop, settle } = open(
    { claim: async () => claimed.splice(0) },
    {
      leaseMs: LEASE_MS,
      renewEveryMs: LEASE_MS / 4,
      arisesFrom: [],
      idleMs: () => 500,
      tenantOf: () => 'x',
      claim: () => Promise.reject(new Error('unreadable')),
      renew: async (jobs) => jobs,
      run: async () => {},
    },
  );
  await settle();
  expect(logged).toEqual(['the storage failed']);
  await stop();
  expect(ended).toEqual(['a stopped']);
});

/** A kind that waits for the storage for ever. */
const waiting: LeasedWork<string> = {
  leaseMs: LEASE_MS,
  renewEveryMs: LEASE_MS / 4,
  arisesFrom: [],
  idleMs: () => 500,
  tenantOf: (job) => job,
  claim: () => new Promise(() => {}),
  renew: () => new Promise(() => {}),
  run: () => new Promise(() => {}),
};

test('a kind of work whose claim waits for the storage holds up no claim and no renewal of another', async () => {
  const renewed: string[] = [];
  const { pending, settle, pass, claims } = open(
    {
      renew: async (jobs) => {
        renewed.push(...jobs);
        return jobs;
      },
    },
    waiting,
  );
  pending.push('a');
  await settle();
  await pass(LEASE_MS / 4);
  expect([claims(), renewed]).toEqual([2, ['a']]);
});

test('a claim that waits for the storage holds up no renewal of its own kind', async () => {
  const renewed: string[] = [];
  const answers = [Promise.resolve(['a'])];
  const { settle, pass } = open({
    claim: () => answers.shift() ?? new Promise(() => {}),
    renew: async (jobs) => {
      renewed.push(...jobs);
      return jobs;
    },
  });
  await settle();
  for (let quarter = 0; quarter < 2; quarter++) await pass(LEASE_MS / 4);
  expect(renewed).toEqual(['a', 'a']);
});

test('a renewal that waits for the storage of one tenant holds up none of another, and no claim', async () => {
  const renewed: string[] = [];
  const { pending, settle, pass, claims } = open({
    renew: async (jobs) => {
      if (jobs.includes('away')) return new Promise(() => {});
      renewed.push(...jobs);
      return jobs;
    },
  });
  pending.push('away', 'here');
  await settle();
  for (let quarter = 0; quarter < 4; quarter++) await pass(LEASE_MS / 4);
  // The claim that was due at the same time has waited for a moment.
  expect([claims(), renewed]).toEqual([4, ['here', 'here', 'here', 'here']]);
});

test('a lease that cannot be renewed is renewed again, after a pause', async () => {
  let failures = 2;
  const renewed: number[] = [];
  const { pending, settle, pass, ended, logged } = open({
    renew: async (jobs, leaseEndMs) => {
      failures -= 1;
      if (failures >= 0) throw new Error('away');
      renewed.push(leaseEndMs);
      return jobs;
    },
  });
  pending.push('a');
  await settle();
  for (const ms of [LEASE_MS / 4, 100, 200]) await pass(ms);
  expect([renewed, ended, logged]).toEqual([[550 + LEASE_MS], [], ['the storage failed', 'the storage failed']]);
});
