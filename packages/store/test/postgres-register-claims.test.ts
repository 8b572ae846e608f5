import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { claimSoon } from './claim-soon.ts';
import { identity, identityProfile, importAll, NOW } from './model-records.ts';
import { openShared } from './shared-database.ts';

const NOW_MS = Date.parse(NOW);

test('a worker that is frozen within a batch holds up no claim of another register', async () => {
  const { url, store, close } = await openShared('postgres');
  const frozen = new pg.Client({ connectionString: url });
  await frozen.connect();
  onTestFinished(async () => {
    await frozen.end();
    await close();
  });
  for (const tenant of ['a', 'b']) await importAll(store, tenant, [identityProfile('ip'), identity('i-1')]);
  const claimAt = async (nowMs: number) =>
    (await claimSoon(() => store.register.claim({ nowMs, leaseMs: 1_000, limit: 1 })))[0]?.tenant;
  const first = await claimAt(NOW_MS);
  const second = await claimAt(NOW_MS);
  await frozen.query('begin');
  await frozen.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`access-admin:${first} register`]);
  await frozen.query('select 1 from register_head where tenant = $1 for update', [first]);
  expect(await claimAt(NOW_MS + 2_000)).toBe(second);
  await frozen.query('rollback');
  expect(await claimAt(NOW_MS + 2_000)).toBe(first);
});
