import { createTestDatabase, startPgbouncer, whyNoPgbouncer } from '@access-admin/harness';
import { expect, inject, onTestFinished, test } from 'vitest';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { createPostgresConnections } from '../src/engine/postgres/pool.ts';
import { examinePostgres, openStore, UnsuitableAddress } from '../src/index.ts';

const whyNoPooler = inject('isOnCitus') ? 'poolers are tested before one server' : whyNoPgbouncer;

/** The address of a fresh database, by a pooler in this mode. */
async function openPooled(mode: string): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const pooler = await startPgbouncer(database.url, `pool_mode = ${mode}\ndefault_pool_size = 40`);
  onTestFinished(() => pooler[Symbol.asyncDispose]());
  return pooler.url;
}

test.for(['session', 'transaction', 'statement'])('a store behind a pooler in %s mode', async (mode, context) => {
  if (whyNoPooler !== null) return context.skip(whyNoPooler);
  const url = await openPooled(mode);
  if (mode === 'session') {
    await using store = await openStore(url);
    expect(store.migrated).not.toEqual([]);
    expect((await examinePostgres(url)).connectionFault).toBeNull();
    return;
  }
  await expect(openStore(url)).rejects.toThrow(UnsuitableAddress);
  expect((await examinePostgres(url)).connectionFault).toContain('pool_mode = session');
});

test('each connection has the time limits of its purpose, behind a pooler too', async ({ skip }) => {
  if (whyNoPooler !== null) skip(whyNoPooler);
  const url = await openPooled('session');
  const limits = { ...POSTGRES_LIMITS, statementMs: 4_000, lockMs: 3_000 };
  const limited = createPostgresConnections(url, limits);
  const unlimited = createPostgresConnections(url, limits, { isUnlimited: true });
  const limitsOf = async (connections: typeof limited, further = {}) => {
    const pool = connections.openPool(1, further);
    const { rows } = await pool.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
    );
    await pool.end();
    return rows[0];
  };
  expect(await limitsOf(limited)).toEqual({ statement: '4s', lock: '3s' });
  expect(await limitsOf(limited, { lock_timeout: 250 })).toEqual({ statement: '4s', lock: '250ms' });
  expect(await limitsOf(unlimited)).toEqual({ statement: '0', lock: '0' });
  const { client, connect } = limited.openClient();
  await connect();
  expect((await client.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '3s' }]);
  await client.end();
});

test('no connection has the plans of another purpose from a session that the pooler lends again', async ({ skip }) => {
  if (whyNoPooler !== null) skip(whyNoPooler);
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const pooler = await startPgbouncer(database.url, 'pool_mode = session\ndefault_pool_size = 1\nserver_reset_query =');
  onTestFinished(() => pooler[Symbol.asyncDispose]());
  const { openPool } = createPostgresConnections(pooler.url, POSTGRES_LIMITS);
  const plansOf = async (further = {}) => {
    const pool = openPool(1, further);
    const { rows } = await pool.query(
      `select pg_backend_pid() as session, current_setting('enable_seqscan') as seqscan,
        current_setting('enable_hashjoin') as hashjoin, current_setting('enable_mergejoin') as mergejoin`,
    );
    await pool.end();
    return rows[0];
  };
  const { session, ...byKey } = await plansOf({
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
  });
  expect(byKey).toEqual({ seqscan: 'off', hashjoin: 'off', mergejoin: 'off' });
  expect(await plansOf()).toEqual({ session, seqscan: 'on', hashjoin: 'on', mergejoin: 'on' });
});
