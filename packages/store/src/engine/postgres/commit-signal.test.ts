import { createTestDatabase } from '@access-admin/harness';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../../assembly/postgres.ts';
import { createCachedTenants } from './cached-tenants.ts';
import { changeMessage, workMessage } from './commit-message.ts';
import { createPostgresCommitSignal } from './commit-signal.ts';
import { POSTGRES_LIMITS } from './limits.ts';
import { createPostgresConnections } from './pool.ts';

const HOUR_MS = 3_600_000;
const LIMITS = { ...POSTGRES_LIMITS, connectMs: 60_000, responseMs: 60_000, notifyEveryMs: HOUR_MS };

/** A signal with an injected clock, a tenant in memory, and a client of another process. */
async function openSignal(pollEveryMs: number) {
  const { url, remove } = await createTestDatabase(async (empty) => (await openPostgresStore({ url: empty })).close());
  const now = () => 0;
  const limits = { ...LIMITS, pollEveryMs };
  const cachedTenants = createCachedTenants({ freshMs: limits.freshMs, now });
  const signal = createPostgresCommitSignal({
    id: 'this',
    connections: createPostgresConnections(url, limits),
    limits,
    cachedTenants,
    now,
    reportLostConnection: () => {},
  });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(async () => {
    await signal.close();
    await other.end();
    await remove();
  });
  const epochOf = () => cachedTenants.epochOf('acme');
  const waitUntil = (condition: () => boolean) => vi.waitUntil(condition, { interval: 2, timeout: 60_000 });
  const untilOther = (epoch: unknown) => waitUntil(() => epochOf() !== null && epochOf() !== epoch);
  await waitUntil(() => epochOf() !== null);
  /** A change of the tenant by another process, which does not tell of it. */
  const change = (line = '') =>
    other.query(
      `insert into tenant_change as stored (tenant, line, version, write_id) values ('acme', $1, 1, 'w')
        on conflict (tenant, line) do update set version = stored.version + 1`,
      [line],
    );
  const tell = (payload: string) => other.query(`select pg_notify('access_admin', $1)`, [payload]);
  return { signal, other, change, tell, epochOf, waitUntil, untilOther };
}

test('changes of each line by other processes without a notification are found by the next poll', async () => {
  const { change, epochOf, untilOther } = await openSignal(5);
  // The first poll of the tenant.
  await untilOther(epochOf());
  for (const line of ['', 'signIn', '']) {
    const before = epochOf();
    await change(line);
    await untilOther(before);
  }
});

test('a change that another process tells of is known without a poll', async () => {
  const { signal, tell, epochOf, untilOther } = await openSignal(HOUR_MS);
  const told = vi.fn();
  signal.subscribe(told);
  const before = epochOf();
  await tell(changeMessage({ tenant: 'acme', changes: 'all' }, 'other'));
  await untilOther(before);
  expect(told.mock.calls).toEqual([[{ tenant: 'acme', arising: 'any' }]]);
});

test('after a change of shared data, and a removal of versions, everything is read anew', async () => {
  const { other, change, epochOf, untilOther } = await openSignal(5);
  const first = epochOf();
  await change();
  await untilOther(first);
  for (const text of ['update shared_change set version = version + 1', 'delete from tenant_change']) {
    const before = epochOf();
    await other.query(text);
    await untilOther(before);
  }
});

test('what the process has told itself it does not hear again', async () => {
  const { signal, tell, waitUntil } = await openSignal(HOUR_MS);
  const told = vi.fn();
  signal.subscribe(told);
  for (const sender of [signal.id, 'other']) {
    await tell(workMessage('acme', 'checks', sender));
    await tell(changeMessage({ tenant: 'acme', changes: 'all' }, sender));
  }
  await tell(workMessage('acme', 'events', 'other'));
  await waitUntil(() => told.mock.lastCall?.[0].arising === 'events');
  expect(told.mock.calls.map(([{ arising }]) => arising)).toEqual(['checks', 'any', 'events']);
});

test.each(['', 'shared', '[]', '["acme"]', '{}', '[x', 'acme any', 'changed'])(
  'what is in memory is not used after the notification "%s" of no known form, until the next poll',
  async (payload) => {
    const { signal, tell, epochOf, waitUntil } = await openSignal(HOUR_MS);
    const told = vi.fn();
    signal.subscribe(told);
    await tell(payload);
    await waitUntil(() => epochOf() === null);
    expect(told.mock.calls).toEqual([[{ tenant: null, arising: null }]]);
  },
);

test('polls are frequent enough that a read is seldom too old to be used', () => {
  expect(2 * POSTGRES_LIMITS.pollEveryMs).toBeLessThan(POSTGRES_LIMITS.freshMs);
  expect(POSTGRES_LIMITS.freshMs).toBeLessThan(1_000);
});
