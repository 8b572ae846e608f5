import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { accountsOfIdentities } from '../src/access/sources/read.ts';
import { NOW } from './model-records.ts';
import { openRaw } from './raw-database.ts';
import { openShared } from './shared-database.ts';

const ACCOUNTS = 20_000;
const IDENTITIES_AT_ONCE = 250;

const engine = inject('engine');

test(`${engine} finds the accounts of identities by them, however many others there are`, async () => {
  const shared = await openShared(engine);
  try {
    const tenant = randomUUID();
    await using raw = await openRaw(shared);
    await raw.insert(
      'account',
      Array.from({ length: ACCOUNTS }, (_, n) => ({
        tenant,
        id: `a-${n}`,
        source_id: 'erp',
        account_id: `${n}`,
        name: `n-${n}`,
        name_folded: `n-${n}`,
        disabled: 0,
        identity_id: `i-${n}`,
        correlation: 'RULE',
        created: NOW,
        modified: NOW,
        access: '[]',
      })),
    );
    const ids = Array.from({ length: IDENTITIES_AT_ONCE }, (_, n) => `i-${n}`);
    await shared.database.read(async (db) => {
      const query = accountsOfIdentities(db, tenant, ids).compile();
      // With a parameter for each, PostgreSQL compares every row with every id once it plans for any ids.
      expect(query.parameters).toHaveLength(2);
      if (engine === 'postgres') return;
      const { rows } = await db.executeQuery({ ...query, sql: `explain query plan ${query.sql}` });
      expect(JSON.stringify(rows)).toContain('USING INDEX account_identity (tenant=? AND identity_id=?)');
    });
  } finally {
    await shared.close();
  }
});
