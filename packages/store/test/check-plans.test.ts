import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { checkListQuery } from '../src/checks/list.ts';
import { NOW } from './model-records.ts';
import { openRaw } from './raw-database.ts';
import { openShared } from './shared-database.ts';

const CHECKS = 20_000;

const PENDING = ['sod_check_pending'];
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
    await using raw = await openRaw(shared);
    await raw.insert(
      'sod_check',
      Array.from({ length: CHECKS }, (_, n) => ({
        tenant,
        request_id: `r-${n}`,
        created: NOW,
        state: n % 2 === 0 ? 'PENDING' : 'SUCCESS',
        attempts: n % 2,
        claimed_twice: 0,
        fence: 0,
        claimable_at_ms: 0,
        identity_id: `i-${n % 10}`,
        access_refs: '[]',
        completed: n % 2 === 0 ? null : NOW,
      })),
    );
    // Otherwise the plan depends on whether autovacuum has come by in between.
    if (engine === 'postgres') await raw.analyze('sod_check');
    const explain = sql.raw(engine === 'sqlite' ? 'explain query plan' : 'explain');
    for (const after of [null, [NOW, 'r-7']])
      for (const { conditions, indexes } of PAGES) {
        const page = { limit: 250, offset: 0, after };
        const { rows } = await shared.database.read((db) =>
          sql`${explain} ${checkListQuery(db, tenant, conditions, page)}`.execute(db),
        );
        const plan = JSON.stringify(rows);
        // On Citus, the index of a shard has its number in its name.
        for (const index of indexes)
          expect(plan).toMatch(new RegExp(`(using (covering )?(index )?|Index Scan on )${index}(_\\d+)?\\b`, 'i'));
        expect(plan).not.toMatch(/Seq Scan|Bitmap Index Scan|SCAN sod_check(?! USING)/);
        if (engine === 'sqlite' && indexes.length > 1) expect(plan).toContain('COVERING INDEX sod_check_pending');
      }
  } finally {
    await shared.close();
  }
});
