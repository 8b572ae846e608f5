import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLeasedLoop, type LeasedWork, type LoopDeps } from './loop.ts';

const LEASE_MS = 1_000;

/** A loop over a kind of work whose jobs end when the test says so, after other kinds. */
function open(overrides: Partial<LeasedWork<string>> = {}, ...others: readonly LeasedWork<unknown>[]) {
  const clock = { ms: 0 };
  const pending: string[] = [];
  const ends = new Map<string, () => void>();
  const ended: string[] = [];
  const waits: number[] = [];
  const logged: string[] = [];
  let claims = 0;
  let endWait = () => {};
  let notice = () => {};
  const deps: LoopDeps = {
    now: () => clock.ms,
    random: () => 1,
    log: { error: (_fields: unknown, message?: string) => void logged.push(message ?? '') },
    onCommit: (listener) => {
      notice = listener;
      return () => {};
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        waits.push(ms);
        endWait = resolve;
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  const kind: LeasedWork<string> = {
    leaseMs: LEASE_MS,
    renewEveryMs: LEASE_MS / 4,
    idleMs: () => 500,
    claim: async () => {
      claims += 1;
      return pending.splice(0);
    },
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
  const loop = createLeasedLoop([...others, kind], deps);
  const stopping = new AbortController();
  const stopped = loop.run(stopping.signal);
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
  return {
    clock,
    pending,
    ends,
    ended,
    waits,
    logged,
    settle,
    claims: () => claims,
    pass: async (ms: number) => {
      clock.ms += ms;
      endWait();
      await settle();
    },
    notice: async () => {
      notice();
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

test('while jobs are under way, commits in quick succession lead to one claim', async () => {
  const { pending, claims, settle, notice, pass, waits, stop } = open();
  pending.push('a');
  await settle();
  expect(claims()).toBe(1);
  await notice();
  await notice();
  expect([claims(), waits.at(-1)]).toEqual([1, 25]);
  await pass(25);
  expect([claims(), waits.at(-1)]).toEqual([2, 225]);
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
  const { waits, settle, pass, logged, stop } = open({
    claim: async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('away');
      return [];
    },
  });
  await settle();
  await pass(100);
  await pass(200);
  expect([waits, logged]).toEqual([
    [100, 200, 500],
    ['the storage failed', 'the storage failed'],
  ]);
  await stop();
});

test('a job that fails does not end the loop', async () => {
  const { pending, settle, logged, claims, stop } = open({ run: () => Promise.reject(new Error('a bug')) });
  pending.push('a');
  await settle();
  expect([logged, claims()]).toEqual([['a job is left until its lease ends'], 2]);
  await stop();
});

test('a kind of work whose claims fail holds up no other', async () => {
  const claimed = ['a'];
  const { ended, logged, stop, settle } = open(
    { claim: async () => claimed.splice(0) },
    {
      leaseMs: LEASE_MS,
      renewEveryMs: LEASE_MS / 4,
      idleMs: () => 500,
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
