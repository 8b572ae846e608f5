import { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { Database, Snapshot } from '../database.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { createSqliteDialect } from './dialect.ts';
import { createSqliteLogRestart, type LogLimits, type SqliteLogRestart } from './log-restart.ts';

interface SqliteSnapshots extends Pick<SqliteLogRestart, 'during'> {
  readonly connections: ReadonlySet<SqliteConnection>;
  readonly open: Database['openSnapshot'];
}

interface SnapshotsDeps {
  readonly path: string;
  readonly writer: SqliteConnection;
  readonly guardRead: <T>(attempt: () => T | Promise<T>) => Promise<T>;
  readonly logLimits: Partial<LogLimits>;
}

type SnapshotPurpose = Parameters<Database['openSnapshot']>[0];

const SNAPSHOT_CACHE_KIB = 512;

/** Each snapshot has its own connection, so that all its reads are as of one instant. */
export function createSqliteSnapshots({ path, writer, guardRead, logLimits }: SnapshotsDeps): SqliteSnapshots {
  const log = createSqliteLogRestart(path, writer, logLimits);
  const connections = new Set<SqliteConnection>();
  const begin = (purpose: SnapshotPurpose): Snapshot => {
    const connection = openSqliteConnection(path, 'queryOnly');
    try {
      // A snapshot reads each page once, so it needs no cache of 16 MB, the default of each connection.
      connection.pragma(`cache_size = -${SNAPSHOT_CACHE_KIB}`);
      // The first read of a transaction fixes the state that it sees.
      connection.exec('begin; select 1 from tenant limit 1');
    } catch (error) {
      connection.close();
      throw error;
    }
    connections.add(connection);
    const end = log.enter(purpose === 'work');
    const db = new Kysely<Tables>({ dialect: createSqliteDialect(connection, 'queryOnly') });
    return {
      read: (query) => guardRead(() => query(db)),
      [Symbol.asyncDispose]: async () => {
        if (!connections.delete(connection)) return;
        connection.close();
        end();
      },
    };
  };
  const open: Database['openSnapshot'] = async (purpose) => {
    // Loads hold up requests, and are rare.
    if (purpose === 'export') await log.turn();
    return guardRead(() => begin(purpose));
  };
  return { connections, open, during: log.during };
}
