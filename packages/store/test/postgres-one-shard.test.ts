import { createClusterDatabase } from '@access-admin/harness';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { methodsOf, STORE_CALLS } from './call-every-method.ts';
import { OF_ALL_SHARDS } from './of-all-shards.ts';
import { plainSql } from './tenant-guard.ts';

afterEach(() => void vi.restoreAllMocks());

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements with their parameters, as all connections of this process send them from now on; each text once. */
function listen(): ReadonlyMap<string, Sent> {
  const sent = new Map<string, Sent>();
  const original = pg.Client.prototype.query as (...args: readonly unknown[]) => never;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: readonly unknown[]) {
    const [query, given] = args;
    const { text, values } = typeof query === 'string' ? { text: query, values: given } : Object(query);
    sent.set(plainSql(String(text)), { text: String(text), values: Array.isArray(values) ? values : [] });
    return original.apply(this, args as []);
  });
  return sent;
}

const IS_PLANNED = /^(with|select|insert|update|delete)\b/;

/** Whether Citus would send a statement to one shard as a whole, or to none as it concerns no tenant. */
async function isOfOneShard(client: pg.Client, { text, values }: Sent): Promise<boolean> {
  await client.query('begin');
  try {
    const { rows } = await client.query<Record<string, string>>(`explain (costs off) ${text}`, [...values]);
    const plan = rows.map((row) => Object.values(row).join('')).join('\n');
    const [count = '1', ...others] = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, tasks]) => tasks);
    return count === '1' && others.length === 0;
  } catch (error) {
    // Citus refuses a statement that it cannot distribute.
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

/** Those of the statements that are not of one shard. */
async function findWider(statements: Iterable<readonly [string, Sent]>, url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const wider: string[] = [];
  for (const [plain, statement] of statements)
    if (IS_PLANNED.test(plain) && !(await isOfOneShard(client, statement))) wider.push(plain);
  await client.end();
  return wider;
}

test('every statement of the store concerns one shard, but for those that are named', async () => {
  const { url, remove } = await createClusterDatabase();
  onTestFinished(remove);
  const sent = listen();
  const store = await openPostgresStore({ url });
  for (const call of Object.values(STORE_CALLS)) await call(store);
  expect(Object.keys(STORE_CALLS).toSorted()).toEqual(methodsOf(store));
  await store.close();
  vi.restoreAllMocks();
  const control = { text: 'select * from identity', values: [] };
  const wider = await findWider([...sent, ['select * from identity', control] as const], url);
  const isNamed = (statement: string) => OF_ALL_SHARDS.some((each) => each.statement.test(statement));
  expect(wider.filter((statement) => !isNamed(statement))).toEqual([control.text]);
  const unused = OF_ALL_SHARDS.filter(({ statement }) => !wider.some((each) => statement.test(each)));
  expect(unused.map(({ reason }) => reason)).toEqual([]);
});
