import { once } from 'node:events';
import fs from 'node:fs';
import { stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../src/engine/database.ts';
import { openSqliteDatabase } from '../src/engine/sqlite/database.ts';
import { openStore, StorageUnavailable } from '../src/index.ts';
import { ensureTenant } from '../src/record/tenants/versions.ts';
import { newSqliteFile, type SqliteFile } from './sqlite-file.ts';

/** Lets the read of the size of the log fail that has this number from now on, the first being 1. */
function failStat(number: number) {
  const original = fs.statSync;
  const stats = vi.spyOn(fs, 'statSync').mockImplementation((...given) => {
    if (stats.mock.calls.length === number) throw new Error('EIO: i/o error, stat');
    return original(...given);
  });
  syncBuiltinESMExports();
}

describe('the write-ahead log beside exports', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  const LOG_BYTES_MAX = 300_000;

  /** A database whose log grows by 100 kB with each call of `write`. */
  async function openDatabase(
    file: SqliteFile,
    logWaitMs = 60_000,
    exportMs = 60_000,
    exportLogBytesMax = LOG_BYTES_MAX,
    aloneMs = 60_000,
  ) {
    await (await openStore(`sqlite:${file.path}`)).close();
    const database = await openSqliteDatabase(file.path, undefined, {
      logBytesMax: LOG_BYTES_MAX,
      logWaitMs,
      exportLogBytesMax,
      exportMs,
      aloneMs,
      longMs: 0,
    });
    let rows = 0;
    const write = () =>
      database.write('shared', async (trx) => {
        rows += 1;
        const tenant = `t-${rows}-${'x'.repeat(100_000)}`;
        await ensureTenant(trx, tenant, null);
      });
    const logBytes = async () => (await stat(`${file.path}-wal`)).size;
    const count = (snapshot: Snapshot) =>
      snapshot.read((db) =>
        db
          .selectFrom('tenant')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      );
    return { database, write, logBytes, count };
  }

  test('stays small although they always overlap, and each is as of one instant', async () => {
    await using file = await newSqliteFile();
    const { database, write, logBytes, count } = await openDatabase(file, 60_000, 60_000, 4 * LOG_BYTES_MAX);
    let last = await database.openSnapshot('export', 'acme');
    for (let round = 0; round < 40; round++) {
      const before = await count(last);
      await write();
      const opening = database.openSnapshot('export', 'acme');
      await write();
      expect(await count(last)).toEqual(before);
      await last[Symbol.asyncDispose]();
      last = await opening;
    }
    expect(await logBytes()).toBeLessThan(4 * LOG_BYTES_MAX);
    await last[Symbol.asyncDispose]();
    await database.close();
  });

  test('stays small although an export is read slowly: the export is ended, and others of the moment are not', async () => {
    await using file = await newSqliteFile();
    const { database, write, logBytes, count } = await openDatabase(file, 60_000, 0);
    const slow = await database.openSnapshot('export', 'acme');
    const load = await database.openSnapshot('load', 'acme');
    await count(slow);
    for (let round = 0; round < 4; round++) await write();
    expect(await logBytes()).toBeGreaterThan(LOG_BYTES_MAX);
    await expect(count(slow)).rejects.toThrow('An export was ended');
    await slow[Symbol.asyncDispose]();
    await count(load);
    await load[Symbol.asyncDispose]();
    await using next = await database.openSnapshot('export', 'acme');
    expect(await logBytes()).toBe(0);
    await count(next);
    await database.close();
  });

  test('stays small although imports write faster than exports become slow', async () => {
    await using file = await newSqliteFile();
    const { database, write, count } = await openDatabase(file);
    await using young = await database.openSnapshot('export', 'acme');
    await using another = await database.openSnapshot('export', 'acme');
    await using alone = await database.openSnapshot('export', 'initech');
    for (const each of [young, another, alone]) await count(each);
    for (let round = 0; round < 6; round++) await write();
    for (const each of [young, another]) await expect(count(each)).rejects.toThrow('An export was ended');
    // The only one of its tenant has time to end by itself.
    await count(alone);
    await database.close();
  });

  test('stays small although the only export of a tenant takes its time', async () => {
    await using file = await newSqliteFile();
    const { database, write, count } = await openDatabase(file, 60_000, 60_000, LOG_BYTES_MAX, 0);
    await using alone = await database.openSnapshot('export', 'acme');
    await count(alone);
    for (let round = 0; round < 6; round++) await write();
    await expect(count(alone)).rejects.toThrow('An export was ended');
    await database.close();
  });

  test('stays small although its file was long when the export began, and begins anew', async () => {
    await using file = await newSqliteFile();
    const { database, write, logBytes, count } = await openDatabase(file, 60_000, 0);
    const other = await openDatabase(file);
    const load = await database.openSnapshot('load', 'acme');
    for (let round = 0; round < 12; round++) await write();
    await load[Symbol.asyncDispose]();
    const reading = await other.database.openSnapshot('load', 'acme');
    await using young = await database.openSnapshot('export', 'acme');
    await count(young);
    await reading[Symbol.asyncDispose]();
    const long = await logBytes();
    expect(long).toBeGreaterThan(4 * LOG_BYTES_MAX);
    for (let round = 0; round < 6; round++) await write();
    expect(await logBytes()).toBeLessThan(long);
    await expect(count(young)).rejects.toThrow('An export was ended');
    await other.database.close();
    await database.close();
  });

  test('stays small although only another process writes', async () => {
    await using file = await newSqliteFile();
    const { database, count } = await openDatabase(file, 60_000, 0);
    const other = await openDatabase(file);
    const slow = await database.openSnapshot('export', 'acme');
    for (let round = 0; round < 4; round++) await other.write();
    vi.advanceTimersByTime(999);
    await count(slow);
    vi.advanceTimersByTime(1);
    await expect(count(slow)).rejects.toThrow('An export was ended');
    expect(vi.getTimerCount()).toBe(0);
    await slow[Symbol.asyncDispose]();
    await other.database.close();
    await database.close();
  });

  test('ends an export between two statements as unavailable', async () => {
    await using file = await newSqliteFile();
    const { database, write } = await openDatabase(file, 60_000, 0);
    await using slow = await database.openSnapshot('export', 'acme');
    const reading = slow.read(async (db) => {
      await db.selectFrom('tenant').select('tenant').execute();
      for (let round = 0; round < 4; round++) await write();
      return db.selectFrom('tenant').select('tenant').execute();
    });
    await expect(reading).rejects.toThrow(StorageUnavailable);
    await database.close();
  });

  test('fails no write when its size cannot be read', async () => {
    await using file = await newSqliteFile();
    const { database } = await openDatabase(file);
    await database.write('shared', (trx) => ensureTenant(trx, 'acme', null));
    await using _ = await database.openSnapshot('export', 'acme');
    const warning = once(process, 'warning');
    failStat(1);
    const add = () =>
      database.write('shared', (trx) =>
        trx
          .updateTable('tenant')
          .set((eb) => ({ identity_count: eb('identity_count', '+', 1) }))
          .execute(),
      );
    await Promise.all([add(), add()]);
    const found = await database.read((db) => db.selectFrom('tenant').select('identity_count').execute());
    expect(found).toEqual([{ identity_count: 2 }]);
    expect(await warning).toMatchObject([{ message: 'EIO: i/o error, stat' }]);
    await database.close();
  });

  test.each([
    ['export', 1],
    ['export', 2],
    ['work', 1],
  ] as const)('fails no snapshot when its size cannot be read: %s, look %i', async (purpose, number) => {
    await using file = await newSqliteFile();
    const { database, write, logBytes } = await openDatabase(file, 1);
    const warning = once(process, 'warning');
    failStat(number);
    await (await database.openSnapshot(purpose, 'acme'))[Symbol.asyncDispose]();
    expect(await warning).toMatchObject([{ message: 'EIO: i/o error, stat' }]);
    for (let round = 0; round < 4; round++) await write();
    await using _next = await database.openSnapshot('export', 'acme');
    expect(await logBytes()).toBe(0);
    await database.close();
  });

  test('keeps none of them waiting for longer than allowed, nor a load at all', async () => {
    await using file = await newSqliteFile();
    const { database, write } = await openDatabase(file, 1);
    await using _ = await database.openSnapshot('export', 'acme');
    for (let round = 0; round < 10; round++) await write();
    for (const purpose of ['load', 'export', 'export'] as const)
      await (await database.openSnapshot(purpose, 'acme'))[Symbol.asyncDispose]();
    await database.close();
  });

  test('is moved into the file at the end of long work, and not by the next commit', async () => {
    await using file = await newSqliteFile();
    const { database, write } = await openDatabase(file);
    const fileBytes = async () => (await stat(file.path)).size;
    for (const [purpose, isMoved] of [
      ['load', false],
      ['work', true],
    ] as const) {
      const snapshot = await database.openSnapshot(purpose, 'acme');
      for (let round = 0; round < 60; round++) await write();
      const before = await fileBytes();
      await snapshot[Symbol.asyncDispose]();
      expect((await fileBytes()) > before + LOG_BYTES_MAX).toBe(isMoved);
    }
    await database.close();
  });

  test('begins anew between two transactions, not within one', async () => {
    await using file = await newSqliteFile();
    const { database, write, logBytes } = await openDatabase(file);
    for (let round = 0; round < 10; round++) await write();
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const writing = database.writeAlone('shared', () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const opening = database.openSnapshot('export', 'acme');
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    expect(await logBytes()).toBeGreaterThan(LOG_BYTES_MAX);
    held.resolve();
    await writing;
    await (await opening)[Symbol.asyncDispose]();
    expect(await logBytes()).toBe(0);
    await database.close();
  });

  test('does not keep a database from closing', async () => {
    await using file = await newSqliteFile();
    const { database, write } = await openDatabase(file);
    await database.openSnapshot('export', 'acme');
    for (let round = 0; round < 10; round++) await write();
    void database.openSnapshot('export', 'acme').catch(() => {});
    await database.close();
  });
});
