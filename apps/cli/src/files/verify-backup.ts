import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { CommandFailure } from '../output/failure.ts';

/** What a backup consists of. */
export interface BackupFacts {
  readonly tables: number;
  readonly pages: number;
}

/**
 * Verifies that a file is a whole SQLite database of the service, without changing it. Throws a `CommandFailure` where it is
 * not. SQLite reads all of it in one call, so a process of its own does that: it can be stopped.
 */
export async function verifyBackup(file: string, signal: AbortSignal): Promise<BackupFacts> {
  if (!existsSync(file)) throw new CommandFailure(`${file}: there is no such file`);
  if (process.getBuiltinModule('node:sqlite') === undefined)
    throw new CommandFailure('this needs Node.js 24 or later, which has SQLite');
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--eval', EXAMINE, '--', file], {
    signal,
  });
  const found: BackupFacts | { readonly fault: string } = JSON.parse(stdout);
  if ('fault' in found) throw new CommandFailure(`${file}: ${found.fault}`);
  return found;
}

/** Prints what a database consists of, or its fault. */
const EXAMINE = `
const { DatabaseSync } = require('node:sqlite');
function examine(file) {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = (sql) => database.prepare(sql).all();
  const faults = rows('PRAGMA integrity_check(20)').map((row) => row.integrity_check);
  if (faults.join() !== 'ok') throw new Error('it is damaged: ' + faults.join('; '));
  const tables = rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map((row) => row.name);
  if (!tables.includes('tenant')) throw new Error('it is no database of the service');
  return { tables: tables.length, pages: rows('PRAGMA page_count')[0].page_count };
}
let found;
try {
  found = examine(process.argv[1]);
} catch (error) {
  found = { fault: error.message };
}
console.log(JSON.stringify(found));
`;
