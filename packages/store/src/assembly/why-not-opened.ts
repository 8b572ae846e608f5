import { resolve } from 'node:path';
import { parseDatabaseUrl } from './database-url.ts';

/** Why `openStore` rejected, for the operator: the file of SQLite and what to do about it. The URL of PostgreSQL, which may hold a password, is not repeated. */
export function whyNotOpened(databaseUrl: string, error: unknown): string {
  const told = error instanceof Error ? (error.cause ?? error) : error;
  const reason = told instanceof Error ? told.message : String(told);
  const address = parseDatabaseUrl(databaseUrl);
  const isOfFile = address !== null && 'sqlitePath' in address;
  return `The store cannot be opened: ${isOfFile ? ofFile(resolve(address.sqlitePath), Object(told).code, reason) : reason}`;
}

function ofFile(path: string, code: unknown, reason: string): string {
  switch (code) {
    case 'EISDIR':
      return `${path} is a folder: name a file with DATABASE_URL`;
    case 'SQLITE_NOTADB':
      return `${path} is no SQLite database: name another file with DATABASE_URL, or restore a backup`;
    case 'SQLITE_CORRUPT':
      return `${path} is damaged (${reason}): restore a backup`;
    default:
      return `${path}: ${reason}`;
  }
}
