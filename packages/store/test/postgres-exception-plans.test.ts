import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenantScope } from '../src/engine/scope.ts';
import { markVoid } from '../src/governance/exceptions/store-void.ts';
import { NOW } from './model-records.ts';
import { openShared, type Shared } from './shared-database.ts';

let shared: Shared;
beforeAll(async () => {
  shared = await openShared('postgres');
});
afterAll(() => shared.close());

const EXCEPTIONS = 5_000;
const END = '2026-06-01T00:00:00.000Z';

test('PostgreSQL finds the exceptions of a page by their ids, also before it has statistics', async () => {
  const tenant = randomUUID();
  const plan = await shared.database.write(tenantScope(tenant), async (trx) => {
    await sql`
      insert into sod_exception
        (tenant, id, policy_id, identity_id, identity_created_ms, policy_created, starts, ends, justification, requester_id, created, approved, approved_terms, decisions)
      select ${tenant}, 'x-' || n, 'p', 'i-' || n, 0, ${NOW}, ${NOW}, ${END}, 'why', 'i-asker', ${NOW}, ${NOW}, 'terms', '[]'
      from generate_series(1, ${sql.lit(EXCEPTIONS)}) as n`.execute(trx);
    const ids = Array.from({ length: 250 }, (_, n) => `x-${n}`);
    return JSON.stringify(await markVoid(trx, { tenant, now: NOW }, ids).explain('text'));
  });
  expect(plan).not.toContain('sod_exception_open');
});
