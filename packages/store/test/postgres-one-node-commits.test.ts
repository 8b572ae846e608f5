import { createClusterDatabase } from '@access-admin/harness';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { STORE_CALLS } from './call-every-method.ts';
import { NAMES_TENANTS } from './names-tenants.ts';
import { plainSql } from './tenant-guard.ts';

const IS_WRITE = /^(with|insert|update|delete)\b/;

/** What the commits of this process do, from the call on. */
interface Commits {
  /** What the coordinator has told nodes to prepare, with the statements before it. */
  readonly prepared: string[];
  /** The transactions with rows of tenants for which the coordinator has assigned a number. */
  readonly numbered: string[];
  readonly counted: { transactions: number };
}

function watchCommits(): Commits {
  const prepared: string[] = [];
  const numbered: string[] = [];
  const counted = { transactions: 0 };
  const open = new WeakMap<pg.Client, string[]>();
  const latest = new WeakMap<pg.Client, string>();
  const heard = new WeakSet<pg.Client>();
  const original = pg.Client.prototype.query as (...args: readonly unknown[]) => Promise<pg.QueryResult>;
  const send = (client: pg.Client, ...args: readonly unknown[]) => original.apply(client, args as []);

  const hear = (client: pg.Client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('notice', ({ message = '' }) => {
      if (message.includes('PREPARE TRANSACTION'))
        prepared.push(open.get(client)?.join('; ') ?? latest.get(client) ?? '');
    });
  };
  const commit = async (client: pg.Client) => {
    const statements = open.get(client) ?? [];
    const { rows } = await send(client, 'select pg_current_xact_id_if_assigned()::text as number');
    counted.transactions += 1;
    // A notification takes a number only when it is committed.
    const isNumbered = rows[0]?.number !== null || statements.some((text) => /\b(pg_)?notify\b/.test(text));
    if (isNumbered && statements.some((text) => NAMES_TENANTS.test(text))) numbered.push(statements.join('; '));
    const result = await send(client, 'commit');
    open.delete(client);
    return result;
  };
  /** A write that is a transaction of its own, as one that can be asked for its number. */
  const writeAlone = async (client: pg.Client, text: string, args: readonly unknown[]) => {
    await send(client, 'begin');
    open.set(client, [text]);
    const result = await send(client, ...args).catch(async (error: unknown) => {
      await send(client, 'rollback');
      throw error;
    });
    await commit(client);
    return result;
  };

  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [query] = args;
    const text = plainSql(typeof query === 'string' ? query : String(Object(query).text));
    hear(this);
    latest.set(this, text);
    const callback = args.at(-1);
    const own = typeof callback === 'function' ? args.slice(0, -1) : args;
    const answer = (result: Promise<pg.QueryResult>) => {
      if (typeof callback !== 'function') return result;
      result.then(
        (value) => callback(null, value),
        (error) => callback(error),
      );
      return undefined;
    };
    if (/^(begin|start transaction)/.test(text)) open.set(this, []);
    else if (text === 'rollback') open.delete(this);
    else if (text === 'commit') return answer(commit(this)) as never;
    else if (open.has(this)) open.get(this)?.push(text);
    else if (IS_WRITE.test(text)) return answer(writeAlone(this, text, own)) as never;
    return answer(send(this, ...own)) as never;
  });
  return { prepared, numbered, counted };
}

test('every write of a tenant is committed by its node alone, so that nobody sees a part of it, and the coordinator writes nothing', async () => {
  const { url, remove } = await createClusterDatabase();
  onTestFinished(remove);
  const control = new pg.Client({ connectionString: url });
  await control.connect();
  await control.query(`alter database ${new URL(url).pathname.slice(1)} set citus.log_remote_commands = on`);
  await control.end();
  const store = await openPostgresStore({ url });
  const { prepared, numbered, counted } = watchCommits();
  for (const call of Object.values(STORE_CALLS)) await call(store);
  await store.close();
  expect(counted.transactions).toBeGreaterThan(100);
  expect(prepared).toEqual([]);
  expect(numbered).toEqual([]);

  // What must not be is seen where it is: a transaction of tenants on two nodes, and those that also write on the coordinator.
  const watched = new pg.Client({ connectionString: url });
  await watched.connect();
  watched.on('error', () => {});
  const insert = `insert into tenant_change (tenant, line, version, write_id) values ($1, 'control', 1, 'w')`;
  await watched.query('begin');
  for (let tenant = 0; tenant < 32; tenant++) await watched.query(insert, [`t${tenant}`]);
  await watched.query('commit');
  expect(prepared).not.toEqual([]);
  const local = [`notify access_admin, 'control'`, 'update shared_change set version = version + 1'];
  for (const [number, statement] of local.entries()) {
    numbered.length = 0;
    await watched.query('begin');
    await watched.query(insert, [`local${number}`]);
    await watched.query(statement);
    await watched.query('commit');
    expect(numbered).toHaveLength(1);
  }
  await watched.end();
});
