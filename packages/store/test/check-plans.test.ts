import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { checkListQuery } from '../src/checks/list.ts';
import { tenantScope } from '../src/engine/scope.ts';
import { NOW } from './model-records.ts';
import { openShared } from './shared-database.ts';

const CHECKS = 20_000;

const ROWS = {
  postgres: sql`generate_series(1, ${sql.lit(CHECKS)}) as numbers (n)`,
  sqlite: sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(CHECKS)})
    select n from numbers)`,
};

const PENDING = ['sod_check_unclaimed', 'sod_check_claimed'];
const OF_ONE = { field: 'identityId', operator: 'eq', values: ['i-7'] } as const;
const PAGES = [
  { conditions: [], indexes: [...PENDING, 'sod_check_done'] },
  { conditions: [{ field: 'state', operator: 'eq', values: ['ERROR'] }], indexes: ['sod_check_done'] },
  { conditions: [OF_ONE], indexes: [...PENDING, 'sod_check_done_identity'] },
] as const;

const engine = inject('engine');

test(`${engine} reads a page of checks from indexes in its order`, async () => {
  const shared = await openShared(engine);
  try {
    const tenant = randomUUID();
    // Half of them are done, the others wait.
    await shared.database.write(tenantScope(tenant), async (trx) => {
      await sql`
        insert into sod_check
          (tenant, request_id, created, state, attempts, fence, claimable_at_ms, identity_id, access_refs, completed)
        select ${tenant}, 'r-' || n, ${NOW}, case when n % 2 = 0 then 'PENDING' else 'SUCCESS' end, n % 2, 0, 0,
          'i-' || (n % 10), '[]', case when n % 2 = 0 then null else ${NOW} end
        from ${ROWS[engine]}`.execute(trx);
    });
    const explain = sql.raw(engine === 'sqlite' ? 'explain query plan' : 'explain');
    for (const after of [null, [NOW, 'r-7']])
      for (const { conditions, indexes } of PAGES) {
        const page = { limit: 250, offset: 0, after };
        const { rows } = await shared.database.read((db) =>
          sql`${explain} ${checkListQuery(db, tenant, conditions, page)}`.execute(db),
        );
        const plan = JSON.stringify(rows);
        for (const index of indexes) expect(plan).toMatch(new RegExp(`using (covering )?(index )?${index}\\b`, 'i'));
        expect(plan).not.toMatch(/Seq Scan|Bitmap|SCAN sod_check(?! USING)/);
        if (engine === 'sqlite' && indexes.length > 1) expect(plan).toContain('COVERING INDEX sod_check_unclaimed');
      }
  } finally {
    await shared.close();
  }
});
