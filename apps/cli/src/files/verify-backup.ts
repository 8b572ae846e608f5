import { existsSync } from 'node:fs';
import { CommandFailure } from '../output/failure.ts';
import { reasonOf } from './read-text.ts';

/** What a backup consists of. */
export interface BackupFacts {
  readonly tables: number;
  readonly pages: number;
}

/** Verifies that a file is a whole SQLite database of the service, without changing it. Throws a `CommandFailure` where it is not. */
export function verifyBackup(file: string): BackupFacts {
  if (!existsSync(file)) throw new CommandFailure(`${file}: there is no such file`);
  const { DatabaseSync } = openSqlite();
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    const rows = (sql: string) => database.prepare(sql).all() as Readonly<Record<string, unknown>>[];
    const faults = rows('PRAGMA integrity_check(20)').map(({ integrity_check: text }) => String(text));
    if (faults.join() !== 'ok') throw new Error(`it is damaged: ${faults.join('; ')}`);
    const tables = rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => String(name));
    if (!tables.includes('tenant')) throw new Error('it is no database of the service');
    return { tables: tables.length, pages: Number(rows('PRAGMA page_count')[0]?.['page_count']) };
  } catch (error) {
    throw new CommandFailure(`${file}: ${reasonOf(error)}`);
  }
}

/** Loaded only here: Node.js before 24 has it as an experiment, or not at all. */
function openSqlite(): typeof import('node:sqlite') {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) throw new CommandFailure('this needs Node.js 24 or later, which has SQLite');
  return sqlite;
}
