import { describe, expect, test } from 'vitest';
import { actIn, importAll, people } from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';
import { startStoreProcess } from '../store-process.ts';

const MANY = 100_000;

export function describeProcesses(engine: StoreEngine): void {
  describe('several processes on one database', () => {
    describeLifecycle(engine);
    describeContention(engine);
    describeCommitSigns(engine);
  });
}

function describeLifecycle(engine: StoreEngine): void {
  test('may all open it at once when it is new', async () => {
    const { url, remove } = await engine.createDatabase();
    const processes = [1, 2, 3].map(() => startStoreProcess(url, 'open'));
    expect(await Promise.all(processes.map(({ exit }) => exit))).toEqual([0, 0, 0]);
    expect(processes.map(({ said }) => said)).toEqual([1, 2, 3].map(() => ['opened', 'closed']));
    await remove();
  });

  test('a closed store does not keep its process alive', async () => {
    await using database = await openDatabase(engine);
    await importAll(database.store, 'acme', people({ 'i-1': [] }));
    const process = startStoreProcess(database.url, 'finish');
    expect(await process.exit).toBe(0);
    expect(process.said).toEqual(['opened', 'closed']);
  });

  test('a check that was reported as stored survives the end of its process by SIGKILL', async () => {
    await using database = await openDatabase(engine);
    for (const round of ['a', 'b', 'c']) {
      const process = startStoreProcess(database.url, 'enqueue', round);
      await process.waitFor(30);
      process.kill();
      expect(await process.exit).toBeNull();
      const [, ...stored] = process.said;
      expect(stored.length).toBeGreaterThanOrEqual(29);
      for (const id of stored) expect(await database.store.checks.find('acme', id)).not.toBeNull();
    }
  });

  test('each change of a shared commit survives it too', async () => {
    await using database = await openDatabase(engine);
    for (const round of ['a', 'b', 'c']) {
      const process = startStoreProcess(database.url, 'label', round);
      await process.waitFor(60);
      process.kill();
      expect(await process.exit).toBeNull();
      const [, ...stored] = process.said;
      expect(stored.length).toBeGreaterThanOrEqual(59);
      for (const tenant of stored) {
        expect(await database.store.uiMetadata.read(tenant)).toMatchObject({ usernameLabel: tenant });
      }
    }
  });
}

function describeContention(engine: StoreEngine): void {
  test('no check is claimed twice', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const ids = Array.from({ length: 2_000 }, (_, number) => `r-${number}`);
    await Promise.all(ids.map((id) => checks.enqueue(newCheck(id), MANY)));
    const workers = [1, 2].map(() => startStoreProcess(database.url, 'work'));
    await Promise.all(workers.map(({ waitFor }) => waitFor(1)));
    for (const { go } of workers) go();
    await Promise.all(workers.map(({ exit }) => exit));
    const claimed = workers.map(({ said }) => said.slice(1, -1));
    expect(claimed.flat().toSorted()).toEqual(ids.toSorted());
    expect((await checks.measureBacklog()).depth).toBe(0);
  });

  test('one of two administrators who are removed at the same time stays', async () => {
    await using database = await openDatabase(engine);
    await importAll(database.store, 'acme', people({ 'i-1': ['ORG_ADMIN'], 'i-2': ['ORG_ADMIN'] }));
    const duellists = ['i-1', 'i-2'].map((id) => startStoreProcess(database.url, 'demote', id));
    await Promise.all(duellists.map(({ waitFor }) => waitFor(1)));
    for (const { go } of duellists) go();
    await Promise.all(duellists.map(({ exit }) => exit));
    expect(duellists.map(({ said }) => said[1]).toSorted()).toEqual(['demoted', 'refused']);
  });

  test('concurrent writes of all processes succeed', async () => {
    await using database = await openDatabase(engine);
    const { checks } = database.store;
    const other = startStoreProcess(database.url, 'enqueue', 'other');
    for (let number = 0; number < 300 || other.said.length < 30; number++) {
      await checks.enqueue(newCheck(`mine-${number}`), MANY);
    }
    other.kill();
    await other.exit;
    for (const id of other.said.slice(1)) expect(await checks.find('acme', id)).not.toBeNull();
  });
}

function describeCommitSigns(engine: StoreEngine): void {
  test('each process learns of the commits of the others', async () => {
    await using database = await openDatabase(engine);
    await importAll(database.store, 'acme', people({}));
    const writer = startStoreProcess(database.url, 'commit', 'i-1');
    await writer.waitFor(1);
    const { promise: found, resolve, reject } = Promise.withResolvers<unknown>();
    // A callback may come without a commit. The one for the commit comes when its data can be read.
    database.store.onCommit(() => {
      database.store.authUsers.find('acme', 'i-1').then((user) => user && resolve(user), reject);
    });
    writer.go();
    expect(await found).toMatchObject({ id: 'i-1' });
    expect(await writer.exit).toBe(0);
  });

  test('signals continue, commit after commit, while other processes start and end', async () => {
    await using database = await openDatabase(engine);
    await importAll(database.store, 'acme', people({}));
    const listener = startStoreProcess(database.url, 'listen');
    await listener.waitFor(2);
    for (let round = 0; round < 20; round++) {
      const isHeard = listener.waitFor(listener.said.length + 1);
      await importAll(database.store, 'acme', people({ [`i-${round}`]: [] }));
      await isHeard;
      if (round === 10) expect(await startStoreProcess(database.url, 'open').exit).toBe(0);
    }
    listener.kill();
    expect(listener.said.slice(2)).toEqual(listener.said.slice(2).map(() => 'commit'));
  });

  test('own commits are signalled to every listener that has not unsubscribed', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    const told: string[] = [];
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    store.onCommit(() => told.push('first'));
    const leave = store.onCommit(() => told.push('left'));
    store.onCommit(() => {
      throw new Error('a listener with a bug');
    });
    store.onCommit(() => told.push('last'));
    leave();
    await importAll(store, 'acme', people({}));
    expect(told.slice(0, 2)).toEqual(['first', 'last']);
    expect((await warned).message).toBe('a listener with a bug');
  });

  test('a transaction that changes nothing is not signalled', async () => {
    await using database = await openDatabase(engine);
    const { store } = database;
    let told = 0;
    store.onCommit((arising) => {
      // Null wakes from time to time, in case a notification was lost.
      if (arising !== null) told += 1;
    });
    expect(await store.checks.claim({ nowMs: 0, leaseMs: 1, limit: 1 })).toEqual([]);
    expect(await store.clients.delete(actIn('acme'), 'c-1')).toMatchObject({ failure: { type: 'NotFound' } });
    expect(told).toBe(0);
  });
}
