import { createClusterDatabase, type LoggedTransaction, readLog } from '@access-admin/harness';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { NAMES_TENANTS } from '../names-tenants.ts';
import { OF_ALL_SHARDS } from '../of-all-shards.ts';
import { plainSql } from '../tenant-guard.ts';

/** The name of the sessions of the service; those of tests beside it have another one. */
const SERVICE = 'access-admin';
/** Migrations run on all nodes, while no process serves. */
const OF_SCHEMA = /^(alter|comment|create|do|drop) /;

/** The poll of each process for the versions of the tenants that it has in memory, which no request waits for. */
const OF_POLL = /^select tenant, sum\(version\)::bigint as version from tenant_change where tenant = any/;

interface Findings {
  transactions: number;
  /** Transactions of which nodes have prepared their parts. */
  readonly prepared: Set<string>;
  /** Statements of several shards that are not among the deliberate ones, or are part of a transaction of several statements. */
  readonly wider: Set<string>;
  /** Transactions of tenants to which the coordinator has assigned a number. */
  readonly numbered: Set<string>;
}

function examine({ statements, ofSeveralShards, isPrepared, isNumbered }: LoggedTransaction, found: Findings): void {
  const plain = statements.map(plainSql);
  if (plain.some((statement) => OF_SCHEMA.test(statement))) return;
  if (plain.length > 0) found.transactions += 1;
  if (isPrepared) found.prepared.add(plain.join('; '));
  if (isNumbered && plain.some((statement) => NAMES_TENANTS.test(statement))) found.numbered.add(plain.join('; '));
  for (const statement of ofSeveralShards.map(plainSql)) {
    const isNamed = OF_POLL.test(statement) || OF_ALL_SHARDS.some((each) => each.statement.test(statement));
    if (!isNamed || plain.length > 1) found.wider.add(statement);
  }
}

/** What the log tells of the sessions of the service, by databases. */
async function readFindings(): Promise<ReadonlyMap<string, Findings>> {
  const url = process.env['TEST_CITUS_URL'];
  const since = inject('logEnd');
  const all = new Map<string, Findings>();
  if (!url || since === null) return all;
  for await (const transaction of readLog(url, since)) {
    if (transaction.application !== SERVICE) continue;
    const { database } = transaction;
    const found = all.get(database) ?? { transactions: 0, prepared: new Set(), wider: new Set(), numbered: new Set() };
    all.set(database, found);
    examine(transaction, found);
  }
  return all;
}

describe('all that this run has sent to the cluster', () => {
  let before: readonly Findings[];
  beforeEach(({ skip }) =>
    skip(inject('logEnd') === null, 'the coordinator writes no log with `logging_collector` as JSON'),
  );
  beforeAll(async () => {
    before = [...(await readFindings()).values()];
    const transactions = before.reduce((sum, found) => sum + found.transactions, 0);
    console.log(`${transactions} transactions of the service in ${before.length} databases`);
  });

  const all = (kind: 'prepared' | 'wider' | 'numbered') => [...new Set(before.flatMap((found) => [...found[kind]]))];

  test('was committed by one node each: none prepared a part of a commit, which others would see in parts', () => {
    expect(all('prepared')).toEqual([]);
  });

  test('was of one shard each, but for those reads of all shards that are named', () => {
    expect(all('wider')).toEqual([]);
  });

  test('wrote nothing on the coordinator in a transaction of a tenant, which its node would have committed before', () => {
    expect(all('numbered')).toEqual([]);
  });

  test('would be found otherwise', async () => {
    const { url, remove } = await createClusterDatabase();
    const client = new pg.Client({ connectionString: url, application_name: SERVICE });
    await client.connect();
    const insert = `insert into tenant_change (tenant, line, version, write_id) values ($1, 'control', 1, 'w')`;
    await client.query('begin');
    for (let tenant = 0; tenant < 32; tenant++) await client.query(insert, [`t${tenant}`]);
    await client.query('commit');
    await client.query('begin');
    await client.query(insert, ['local']);
    await client.query('update shared_change set version = version + 1');
    await client.query('commit');
    await client.query('select * from identity');
    await client.query('begin');
    await client.query(insert, ['one']);
    await client.query('commit');
    await client.query(`select 'the last one'`);
    await client.end();
    const database = new URL(url).pathname.slice(1);
    const found = async () => (await readFindings()).get(database);
    // The log is written by a process of its own.
    await expect.poll(async () => (await found())?.transactions).toBe(5);
    expect(await found()).toEqual({
      transactions: 5,
      prepared: new Set([Array(32).fill(plainSql(insert)).join('; ')]),
      numbered: new Set([`${plainSql(insert)}; update shared_change set version = version + 1`]),
      wider: new Set(['select * from identity']),
    });
    await remove();
  });
});
