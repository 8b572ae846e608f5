import { createTestDatabase } from '@access-admin/harness';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../../assembly/postgres.ts';
import { createPostgresCommitSignal, uncachedOf } from './commit-signal.ts';
import { bucketOf } from './known-versions.ts';
import { POSTGRES_LIMITS } from './limits.ts';
import { createPostgresConnections } from './pool.ts';

const HOUR_MS = 3_600_000;

/** Another tenant of the same bucket. */
const neighbourOf = (tenant: string): string => {
  for (let number = 0; ; number++) if (bucketOf(`t${number}`) === bucketOf(tenant)) return `t${number}`;
};

const LIMITS = { ...POSTGRES_LIMITS, connectMs: 60_000, pollResponseMs: 60_000 };

/** A signal with an injected clock, and a client of another process. */
async function openSignal(pollEveryMs: number) {
  const { url, remove } = await createTestDatabase(async (empty) => (await openPostgresStore({ url: empty })).close());
  const clock = { ms: 0 };
  const changes: unknown[] = [];
  const limits = { ...LIMITS, pollEveryMs };
  const signal = createPostgresCommitSignal({
    id: 'this',
    connections: createPostgresConnections(url, limits),
    layout: 'oneServer',
    limits,
    now: () => clock.ms,
    onChange: (changed) => changes.push(changed),
  });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(async () => {
    await signal.close();
    await other.end();
    await remove();
  });
  await vi.waitUntil(() => signal.isFresh('acme'), { interval: 2, timeout: 60_000 });
  /** A change of the tenant by another process, which does not tell of it. */
  const change = (tenant: string, line = '') =>
    other.query(
      `insert into tenant_change as stored (tenant, line, bucket, version, write_id) values ($1, $2, $3, 1, 'w')
        on conflict (tenant, line) do update set version = stored.version + 1`,
      [tenant, line, bucketOf(tenant)],
    );
  return { clock, changes, signal, other, change };
}

type Opened = Awaited<ReturnType<typeof openSignal>>;

const untilChanges = ({ changes }: Opened, count: number) =>
  vi.waitUntil(() => changes.length >= count, { interval: 2, timeout: 60_000 });

test('cached reads are used for less than a second after the start of the last poll that was answered', async () => {
  const { clock, signal, other } = await openSignal(HOUR_MS);
  clock.ms = 699;
  expect(signal.isFresh('acme')).toBe(true);
  clock.ms = 700;
  expect(signal.isFresh('acme')).toBe(false);
  await other.query(`notify access_admin, ''`);
  await vi.waitUntil(() => signal.isFresh('acme'), { interval: 2, timeout: 60_000 });
  clock.ms = 1_399;
  expect(signal.isFresh('acme')).toBe(true);
  clock.ms = 1_400;
  expect(signal.isFresh('acme')).toBe(false);
});

test('changes by other processes without a notification are found by the next poll, each once', async () => {
  const opened = await openSignal(20);
  const { changes, change } = opened;
  expect(changes).toEqual(['all']);
  await change('acme');
  await untilChanges(opened, 2);
  await change('acme', 'signIn');
  await untilChanges(opened, 3);
  await change('acme');
  await untilChanges(opened, 4);
  await change('globex');
  await untilChanges(opened, 5);
  expect(changes).toEqual(['all', ['acme'], ['acme'], ['acme'], ['globex']]);
});

test('a change that another process tells of is known without a poll', async () => {
  const opened = await openSignal(HOUR_MS);
  const { changes, other, signal } = opened;
  const told = vi.fn();
  signal.subscribe(told);
  const tell = (version: number) => other.query(`select pg_notify('access_admin', $1)`, [`["acme","",${version}]`]);
  await tell(5);
  await untilChanges(opened, 2);
  // What is known is not told again, nor what is older.
  await tell(5);
  await tell(4);
  await tell(6);
  await untilChanges(opened, 3);
  expect(changes).toEqual(['all', ['acme'], ['acme']]);
  expect(told).toHaveBeenCalledTimes(2);
});

test('a change that is told before a poll does not hide one that is not', async () => {
  const opened = await openSignal(20);
  const { changes, other, change } = opened;
  await change('acme');
  await untilChanges(opened, 2);
  // Both lie in one bucket, whose sum then has only grown by what is known.
  const neighbour = neighbourOf('acme');
  await other.query('begin');
  await change(neighbour);
  await other.query(`select pg_notify('access_admin', '["acme","",2]')`);
  await change('acme');
  await other.query('commit');
  await vi.waitUntil(() => changes.flat().includes(neighbour), { interval: 2, timeout: 60_000 });
  await vi.waitUntil(() => changes.flat().filter((tenant) => tenant === 'acme').length === 2, { timeout: 60_000 });
});

test('after shared data have changed, and in another database, everything is read anew', async () => {
  const opened = await openSignal(20);
  const { changes, other, change } = opened;
  await change('acme');
  await change('acme');
  await vi.waitUntil(() => changes.length > 1, { interval: 2, timeout: 60_000 });
  changes.length = 0;
  await other.query(`update shared_change set version = version + 1`);
  await untilChanges(opened, 1);
  expect(changes).toEqual(['all']);
  await other.query('delete from tenant_change');
  await untilChanges(opened, 2);
  expect(changes).toEqual(['all', 'all']);
  await change('acme');
  await untilChanges(opened, 3);
  expect(changes).toEqual(['all', 'all', ['acme']]);
});

test('what the process has told itself it does not hear again', async () => {
  const { other, signal } = await openSignal(HOUR_MS);
  const told = vi.fn();
  signal.subscribe(told);
  for (const sender of [signal.id, 'other'])
    await other.query(`select pg_notify('access_admin', $1)`, [uncachedOf('checks', 'acme', sender)]);
  await vi.waitUntil(() => told.mock.calls.length > 0, { interval: 2, timeout: 60_000 });
  await other.query(`select pg_notify('access_admin', $1)`, [uncachedOf('events')]);
  await vi.waitUntil(() => told.mock.lastCall?.[0] === 'events', { interval: 2, timeout: 60_000 });
  expect(told.mock.calls).toEqual([['checks'], ['events']]);
});

test('a notification of no known form makes the process poll', async () => {
  const opened = await openSignal(HOUR_MS);
  const { changes, other, change } = opened;
  for (const [number, payload] of ['', 'shared', '[]', '["acme"]', '{}', '[x'].entries()) {
    await change(`t-${number}`);
    await other.query(`select pg_notify('access_admin', $1)`, [payload]);
    await untilChanges(opened, number + 2);
  }
  expect(changes).toEqual(['all', ...[0, 1, 2, 3, 4, 5].map((number) => [`t-${number}`])]);
});

test('polls are frequent enough that a read is seldom too old to be used', () => {
  expect(2 * POSTGRES_LIMITS.pollEveryMs).toBeLessThan(POSTGRES_LIMITS.freshMs);
  expect(POSTGRES_LIMITS.freshMs).toBeLessThan(1_000);
});
