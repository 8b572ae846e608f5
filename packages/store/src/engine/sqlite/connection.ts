import Sqlite from 'better-sqlite3';

export type SqliteConnection = Sqlite.Database;
export type SqliteMode = 'readWrite' | 'queryOnly';

// SQLite waits inside its call, which blocks the event loop. The retry waits longer, asynchronously.
const BUSY_TIMEOUT_MS = 5;

// Before 3.51.3 a reset of the write-ahead log could corrupt a file with two writers.
const OLDEST_VERSION = [3, 51, 3] as const;

interface Setting {
  readonly pragma: string;
  readonly value: string;
  readonly readBack: string | number;
}

const DURABLE_AND_STRICT: readonly Setting[] = [
  { pragma: 'journal_mode', value: 'wal', readBack: 'wal' },
  // The default of the library, normal, can lose acknowledged commits at a power cut.
  { pragma: 'synchronous', value: 'full', readBack: 2 },
  { pragma: 'foreign_keys', value: 'on', readBack: 1 },
];
const READ_WRITE: Setting = { pragma: 'query_only', value: 'off', readBack: 0 };
const QUERY_ONLY: Setting = { pragma: 'query_only', value: 'on', readBack: 1 };

/** Opens a connection whose settings are verified: durable commits, foreign keys, readers beside one writer. */
export function openSqliteConnection(path: string, mode: SqliteMode): SqliteConnection {
  // A reader must not create a missing file, because the log beside it belongs to the old one.
  const connection = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: mode === 'queryOnly' });
  try {
    assertVersion(connection);
    const settings = [...DURABLE_AND_STRICT, mode === 'queryOnly' ? QUERY_ONLY : READ_WRITE];
    for (const setting of settings) applySetting(connection, setting);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function assertVersion(connection: SqliteConnection): void {
  const version = String(connection.prepare('select sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  const differing = OLDEST_VERSION.findIndex((part, place) => parts[place] !== part);
  if (differing >= 0 && !(Number(parts[differing]) > Number(OLDEST_VERSION[differing]))) {
    throw new Error(`SQLite ${version} is too old: ${OLDEST_VERSION.join('.')} or later is needed.`);
  }
}

function applySetting(connection: SqliteConnection, { pragma, value, readBack }: Setting): void {
  connection.pragma(`${pragma} = ${value}`);
  const actual = connection.pragma(pragma, { simple: true });
  if (actual !== readBack) throw new Error(`SQLite did not take ${pragma} = ${value}: it is ${String(actual)}.`);
}
