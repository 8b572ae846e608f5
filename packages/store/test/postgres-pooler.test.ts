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
