import { createClusterDatabase, createEngineDatabase, holdTransaction } from '@access-admin/harness';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runHere } from './run-here.ts';

async function databaseOf(created: ReturnType<typeof createEngineDatabase>): Promise<string> {
  const { url, remove } = await created;
  onTestFinished(remove);
  return url;
}

async function findLayout(env: Readonly<Record<string, string>>) {
  const { out } = await runHere(['doctor', '--format', 'json'], { env });
  const { findings }: { readonly findings: readonly { what: string; state: string; text: string }[] } = JSON.parse(out);
  return findings.filter(({ what }) => what === 'layout').map(({ state, text }) => [state, text]);
}

test('distribute gives an empty database of a cluster the schema and distributes it, once', async () => {
  const env = { DATABASE_URL: await databaseOf(createClusterDatabase('empty')) };
  const first = await runHere(['distribute', '--shards', '2', '--format', 'json'], { env });
  expect(first.notes).toBe('');
  expect(JSON.parse(first.out)).toEqual({ nodes: 2, shards: 2, tables: expect.any(Number), rows: 0 });
  expect(await runHere(['distribute'], { env })).toEqual({
    code: 0,
    out: 'The tenants are distributed already, in 2 shards on 2 nodes.\n',
    notes: '',
  });
  expect(await findLayout(env)).toEqual([['ok', 'tenants distributed by Citus: 2 shards on 2 nodes']]);
});

test('doctor tells each fault of a cluster, with what to do', async () => {
  const env = { DATABASE_URL: await databaseOf(createClusterDatabase()) };
  await (await holdTransaction(env.DATABASE_URL, 'create table stranger (id integer)')).commit();
  await (await holdTransaction(env.DATABASE_URL, `select undistribute_table('webhook_delivery')`)).commit();
  expect(await findLayout(env)).toEqual([
    ['failure', 'stranger is no table of the service: move it to another schema or database.'],
    ['failure', expect.stringContaining('webhook_delivery is not: stop the service and run `access-admin distribute`')],
  ]);
});

test('distribute changes nothing on one server, and doctor tells so', async () => {
  const env = { DATABASE_URL: await databaseOf(createEngineDatabase('postgres')) };
  expect(await runHere(['distribute'], { env })).toMatchObject({
    code: 1,
    out: '',
    notes: expect.stringContaining('without Citus'),
  });
  expect(await findLayout(env)).toEqual([['ok', 'all tenants on one server']]);
});

describe('distribute is called wrongly', () => {
  test.each(['0', '1.5', 'many', '1025'])('with --shards %s', async (shards) => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect(await runHere(['distribute', '--shards', shards], { env })).toMatchObject({
      code: 2,
      notes: expect.stringContaining('--shards must be a number from 1 to 1024.'),
    });
  });
});
