import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkListQuery } from '../src/checks/list.ts';
import { NOW } from './model-records.ts';
import { openShared } from './shared-database.ts';

const CHECKS = 20_000;

const ROWS = {
  postgres: sql`generate_series(1, ${sql.lit(CHECKS)}) as numbers (n)`,
  sqlite: sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(CHECKS)})
    select n from numbers)`,
};

const PLACE = [NOW, 'r-7'] as const;
const PAGES = [
  { conditions: [], index: 'sod_check_state' },
  { conditions: [{ field: 'state', operator: 'eq', values: ['ERROR'] }], index: 'sod_check_state' },
  { conditions: [{ field: 'identityId', operator: 'eq', values: ['i-7'] }], index: 'sod_check_identity' },
] as const;

test.each(['sqlite', 'postgres'] as const)('%s reads a page of checks from an index in its order', async (engine) => {
  const shared = await openShared(engine);
  try {
    const tenant = randomUUID();
    await shared.database.write({ tenant }, async (trx) => {
      await sql`
        insert into sod_check (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs)
        select ${tenant}, 'r-' || n, ${NOW}, 'SUCCESS', 1, 1, 0, 'i-' || (n % 10), '[]' from ${ROWS[engine]}
      `.execute(trx);
    });
    const explain = sql.raw(engine === 'sqlite' ? 'explain query plan' : 'explain');
    for (const after of [null, PLACE])
      for (const { conditions, index } of PAGES) {
        const query = checkListQuery(tenant, conditions, { limit: 250, offset: 0, after });
        const { rows } = await shared.database.read((db) => sql`${explain} ${query}`.execute(db));
        const plan = JSON.stringify(rows);
        expect(plan).toContain(index);
        // Nothing but the at most 251 rows of each state is sorted.
        expect(plan).not.toMatch(/Seq Scan|Bitmap|SCAN sod_check/);
      }
  } finally {
    await shared.close();
  }
});
