import { createTestDatabase } from '@access-admin/harness';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../../assembly/postgres.ts';
import { createPostgresCommitSignal } from './commit-signal.ts';
import { POSTGRES_LIMITS } from './limits.ts';
import { createPostgresConnections } from './pool.ts';

const HOUR_MS = 3_600_000;
const LIMITS = { ...POSTGRES_LIMITS, connectMs: 60_000, pollResponseMs: 60_000 };

/** A signal with an injected clock, and a client of another process. */
async function openSignal(pollEveryMs: number) {
  const { url, remove } = await createTestDatabase(async (empty) => (await openPostgresStore({ url: empty })).close());
  const clock = { ms: 0 };
  const changes: unknown[] = [];
  const limits = { ...LIMITS, pollEveryMs };
  const signal = createPostgresCommitSignal({
    connections: createPostgresConnections(url, limits),
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
  await vi.waitUntil(signal.isFresh, { interval: 2, timeout: 60_000 });
  const change = () => other.query(`insert into tenant_change values ('acme', pg_current_xact_id(), 'w')`);
  return { clock, changes, signal, other, change };
}

test('cached reads are used for less than a second after the start of the last poll that was answered', async () => {
  const { clock, signal, other } = await openSignal(HOUR_MS);
  clock.ms = 699;
  expect(signal.isFresh()).toBe(true);
  clock.ms = 700;
  expect(signal.isFresh()).toBe(false);
  await other.query(`notify access_admin, ''`);
  await vi.waitUntil(signal.isFresh, { interval: 2, timeout: 60_000 });
  clock.ms = 1_399;
  expect(signal.isFresh()).toBe(true);
  clock.ms = 1_400;
  expect(signal.isFresh()).toBe(false);
});

test('a change by another process without a notification is found by the next poll', async () => {
  const { changes, change } = await openSignal(20);
  expect(changes).toEqual(['all']);
  await change();
  await vi.waitUntil(() => changes.length > 1, { interval: 2, timeout: 60_000 });
  expect(changes).toEqual(['all', ['acme']]);
});

test('polls are frequent enough that a read is seldom too old to be used', () => {
  expect(2 * POSTGRES_LIMITS.pollEveryMs).toBeLessThan(POSTGRES_LIMITS.freshMs);
  expect(POSTGRES_LIMITS.freshMs).toBeLessThan(1_000);
});
