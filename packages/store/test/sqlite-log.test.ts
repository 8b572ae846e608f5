import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../src/engine/database.ts';
import { openSqliteCheckpoints } from '../src/engine/sqlite/checkpoints.ts';
import { openSqliteConnection, type SqliteConnection } from '../src/engine/sqlite/connection.ts';
import { openSqliteDatabase } from '../src/engine/sqlite/database.ts';
import { openStore } from '../src/index.ts';
import { newSqliteFile, type SqliteFile } from './sqlite-file.ts';

describe('the write-ahead log beside exports', () => {
  const LOG_BYTES_MAX = 300_000;

  /** A database whose log grows by 100 kB with each call of `write`. */
  async function openDatabase(file: SqliteFile, logWaitMs = 60_000) {
    await (await openStore(`sqlite:${file.path}`)).close();
    const database = await openSqliteDatabase(file.path, undefined, { logBytesMax: LOG_BYTES_MAX, logWaitMs });
    let rows = 0;
    const write = () =>
      database.write('shared', async (trx) => {
        rows += 1;
        const tenant = `t-${rows}-${'x'.repeat(100_000)}`;
        await sql`insert into tenant (tenant, policy_set_version, identity_revision) values (${tenant}, 0, 0)`.execute(
          trx,
        );
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
    const { database, write, logBytes, count } = await openDatabase(file);
    let last = await database.openSnapshot('export');
    for (let round = 0; round < 40; round++) {
      const before = await count(last);
      await write();
      const opening = database.openSnapshot('export');
      await write();
      expect(await count(last)).toEqual(before);
      await last[Symbol.asyncDispose]();
      last = await opening;
    }
    expect(await logBytes()).toBeLessThan(4 * LOG_BYTES_MAX);
    await last[Symbol.asyncDispose]();
    await database.close();
  });

  test('keeps none of them waiting for longer than allowed, nor a load at all', async () => {
    await using file = await newSqliteFile();
    const { database, write } = await openDatabase(file, 1);
    await using _ = await database.openSnapshot('export');
    for (let round = 0; round < 10; round++) await write();
    for (const purpose of ['load', 'export', 'export'] as const)
      await (await database.openSnapshot(purpose))[Symbol.asyncDispose]();
    await database.close();
  });

  test('begins anew between two transactions, not within one', async () => {
    await using file = await newSqliteFile();
    const { database, write, logBytes } = await openDatabase(file);
    for (let round = 0; round < 10; round++) await write();
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = database.writeAlone('shared', () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const opening = database.openSnapshot('export');
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
    await database.openSnapshot('export');
    for (let round = 0; round < 10; round++) await write();
    void database.openSnapshot('export').catch(() => {});
    await database.close();
  });
});

describe('the pages of the write-ahead log', () => {
  const PAGES = 1_200;

  /** The pages of the log, and those of them that are in the file. */
  const pagesOf = (connection: SqliteConnection) => {
    const [pages] = connection.pragma('wal_checkpoint(noop)') as [{ log: number; checkpointed: number }];
    return [pages.log, pages.checkpointed];
  };

  test('are moved into the file by a thread once a snapshot has ended, and not by a commit', async () => {
    await using file = await newSqliteFile();
    await (await openStore(`sqlite:${file.path}`)).close();
    const database = await openSqliteDatabase(file.path);
    const write = (tenant: string) =>
      database.write('shared', async (trx) => {
        await sql`insert into tenant (tenant, policy_set_version, identity_revision) values (${tenant}, 0, 0)`.execute(
          trx,
        );
      });
    const snapshot = await database.openSnapshot('load');
    for (let page = 0; page < PAGES; page += 100) await write(`t-${page}`.padEnd(100 * 4_096, 'x'));
    const [log = 0, moved = 0] = pagesOf(database.writer);
    expect(log).toBeGreaterThan(PAGES);
    expect(moved).toBeLessThan(10);
    await snapshot[Symbol.asyncDispose]();
    await expect
      .poll(async () => {
        await write(randomUUID());
        const [left = 0, done = 0] = pagesOf(database.writer);
        return left - done;
      })
      .toBeLessThan(100);
    expect(database.writer.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
    await database.close();
  });

  test('stay in the log while the thread cannot open the file, and nothing fails', async () => {
    await using file = await newSqliteFile();
    await (await openStore(`sqlite:${file.path}`)).close();
    const writer = openSqliteConnection(file.path, 'readWrite');
    const checkpoints = openSqliteCheckpoints(`${file.path}-missing`, writer);
    writer.exec('create table many (text)');
    for (let page = 0; page < PAGES; page += 100) writer.exec(`insert into many values (zeroblob(${100 * 4_096}))`);
    checkpoints.moveSoon();
    await checkpoints.empty();
    expect(pagesOf(writer)[1]).toBe(0);
    await checkpoints.close();
    writer.close();
  });
});
