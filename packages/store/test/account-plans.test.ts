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
    if (engine === 'postgres') await raw.analyze('account');
    const ids = Array.from({ length: IDENTITIES_AT_ONCE }, (_, n) => `i-${n}`);
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
    const { rows } = await shared.database.read((db) => {
      const query = accountsOfIdentities(db, tenant, ids).compile();
      // PostgreSQL plans a statement with a parameter for each as if it had to compare all of them.
      expect(query.parameters).toHaveLength(engine === 'postgres' ? 2 : 1 + ids.length);
      return db.executeQuery({ ...query, sql: `${explain} ${query.sql}` });
    });
    // On Citus, the index of a shard has its number in its name.
    expect(JSON.stringify(rows)).toMatch(/(USING INDEX|Index Scan (using|on)) account_identity(_\d+)?\b/);
  } finally {
    await shared.close();
  }
});
