import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { createSodReader, openStore, type SodReader, StorageUnavailable, type Store } from '../src/index.ts';
import { entitlement, holds, identity, identityProfile, importAll, sodPolicy } from './model-records.ts';
import { predictedContexts } from './predicted-contexts.ts';

interface File extends AsyncDisposable {
  readonly path: string;
}

async function newFile(): Promise<File> {
  const directory = await mkdtemp(join(tmpdir(), 'access-admin-'));
  return {
    path: join(directory, 'store.db'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

const open = ({ path }: File): Promise<Store> => openStore(`sqlite:${path}`);

/** Statements of another process. */
function execute({ path }: File, sql: string): void {
  const connection = openSqliteConnection(path, 'readWrite');
  connection.exec(sql);
  connection.close();
}

const policy = (id: string, name = id) => sodPolicy(id, { left: ['e-1'], right: ['e-2'] }, { name });

const MODEL = [
  entitlement('e-1'),
  entitlement('e-2'),
  identityProfile('ip'),
  identity('i-1', { access: holds('ENTITLEMENT', 'e-1') }),
  policy('p-1'),
];

async function violated(reader: SodReader): Promise<readonly string[]> {
  const { index, held } = await reader.read('acme', 'i-1');
  const outcome = predictedContexts(index, held, holds('ENTITLEMENT', 'e-2'));
  return outcome.ok ? outcome.value.map(({ policy: { name } }) => name) : [];
}

test('the changes of the last 1,000 versions are known', async () => {
  await using file = await newFile();
  await using store = await open(file);
  await importAll(store, 'acme', MODEL);
  const first = await store.sod.loadRulebook('acme');
  execute(
    file,
    `with recursive version (number) as (select 2 union all select number + 1 from version where number < 1000)
     insert into rulebook_change (tenant, policy_set_version, change_id, policies) select 'acme', number, 'id of ' || number, '["p-1"]' from version;
     update tenant set policy_set_version = 1000`,
  );
  const since = (policySetVersion: number, changeId: string | null) =>
    store.sod.readPolicyChanges('acme', { policySetVersion, changeId });
  expect(await since(1, first.changeId)).toMatchObject({ policySetVersion: 1_000, upserts: [{ id: 'p-1' }] });
  await importAll(store, 'acme', [policy('p-2')]);
  expect(await since(1, first.changeId)).toBeNull();
  expect(await since(2, 'id of 2')).toMatchObject({ policySetVersion: 1_001, upserts: [{ id: 'p-1' }, { id: 'p-2' }] });
  execute(file, 'delete from rulebook_change where policy_set_version = 500');
  expect(await since(2, 'id of 2')).toBeNull();
  expect(await since(501, 'id of 501')).not.toBeNull();
});

describe('a store that is closed', () => {
  test('ends a compilation', async () => {
    await using file = await newFile();
    await using store = await open(file);
    await importAll(store, 'acme', MODEL);
    const loadRulebook: typeof store.sod.loadRulebook = async (tenant) => {
      const rulebook = await store.sod.loadRulebook(tenant);
      await store.close();
      return rulebook;
    };
    const { read } = createSodReader({ ...store.sod, loadRulebook });
    await expect(read('acme', 'i-1')).rejects.toThrow(StorageUnavailable);
  });
});

describe('a database that is restored while it is in use', () => {
  /** Replaces the content of a file by that of a copy, as a restore does. */
  function putBack(file: File, copy: string): void {
    const connection = openSqliteConnection(file.path, 'readWrite');
    // Tables of a search index can be written in this mode only.
    connection.unsafeMode();
    connection.pragma('foreign_keys = off');
    connection.exec(`attach '${copy}' as copy; begin immediate`);
    // A restore of a whole file runs no trigger.
    const triggers = connection
      .prepare<[], string>(`select name from main.sqlite_schema where type = 'trigger'`)
      .pluck()
      .all();
    for (const trigger of triggers) connection.exec(`drop trigger main.${trigger}`);
    const tables = connection
      .prepare<[], string>(
        `select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow') and name not like 'sqlite_%'`,
      )
      .pluck()
      .all();
    for (const table of tables) {
      connection.exec(`delete from main.${table}; insert into main.${table} select * from copy.${table}`);
    }
    connection.exec('commit');
    connection.close();
  }

  async function scene(file: File) {
    const store = await open(file);
    await importAll(store, 'acme', MODEL);
    const copy = `${file.path}.copy`;
    execute(file, `vacuum into '${copy}'`);
    await importAll(store, 'acme', [policy('p-1', 'lost')]);
    await importAll(store, 'acme', [policy('p-2', 'lost too')]);
    const reader = createSodReader(store.sod);
    expect(await violated(reader)).toEqual(['lost', 'lost too']);
    return { store, reader, putBack: () => putBack(file, copy) };
  }

  test('is read in its restored state', async () => {
    await using file = await newFile();
    const { store, reader, putBack } = await scene(file);
    putBack();
    await setImmediate();
    expect(await violated(reader)).toEqual(['p-1']);
    await importAll(store, 'acme', [policy('p-3', 'kept')]);
    expect(await violated(reader)).toEqual(['p-1', 'kept']);
    await store.close();
  });

  test('also when it has reached the lost version again', async () => {
    await using file = await newFile();
    const { store, reader, putBack } = await scene(file);
    putBack();
    for (const name of ['a', 'b']) await importAll(store, 'acme', [policy('p-3', name)]);
    expect(await violated(reader)).toEqual(['p-1', 'b']);
    await store.close();
  });

  test('also when it has passed the lost version', async () => {
    await using file = await newFile();
    const { store, reader, putBack } = await scene(file);
    putBack();
    for (const name of ['a', 'b', 'c']) await importAll(store, 'acme', [policy('p-3', name)]);
    expect(await violated(reader)).toEqual(['p-1', 'c']);
    await store.close();
  });

  test('an identity that it lacks is unknown', async () => {
    await using file = await newFile();
    const { store, reader, putBack } = await scene(file);
    putBack();
    await setImmediate();
    expect((await reader.read('acme', 'i-9')).held).toBeNull();
    await store.close();
  });
});
