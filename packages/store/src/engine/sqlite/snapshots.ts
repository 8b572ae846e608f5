import { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { startStopwatch } from '../concurrency/stopwatch.ts';
import type { Database, Snapshot } from '../database.ts';
import { StorageUnavailable } from '../errors.ts';
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
  readonly logLimits: Partial<SnapshotLimits>;
}

export interface SnapshotLimits extends LogLimits {
  /** While the log has more bytes, exports that have taken longer than `exportMs` are ended; with a quarter more, younger ones, too. */
  readonly exportLogBytesMax: number;
  readonly exportMs: number;
  /** How long the only export of a tenant has even then. */
  readonly aloneMs: number;
}

type SnapshotPurpose = Parameters<Database['openSnapshot']>[0];

interface Reader {
  readonly connection: SqliteConnection;
  readonly db: Kysely<Tables>;
}

/** A snapshot of an export. */
interface Export {
  readonly elapsedMs: () => number;
  readonly tenant: string;
  /** The size of the file of the log at its beginning, of which the log may hold less; 0 once the log has begun anew. */
  logBytes: number;
  readonly end: () => void;
}

const SNAPSHOT_CACHE_KIB = 512;
// Opening a connection takes longer than most answers.
const IDLE_MAX = 4;
const EXPORT_LOG_BYTES_MAX = 48 * 1024 * 1024;
const EXPORT_MS = 3_000;
// Imports can write faster than the time limit holds. The only export of a tenant still has time to end by itself.
const YOUNG_EXPORTS_FACTOR = 1.25;
const ALONE_MS = 500;
const LOOK_EVERY_MS = 1_000;

/**
 * Each snapshot has its own connection, so that all its reads are as of one instant. Connections are used again, except those of
 * exports, which end by being closed.
 */
export function createSqliteSnapshots({ path, writer, guardRead, logLimits }: SnapshotsDeps): SqliteSnapshots {
  const { exportLogBytesMax = EXPORT_LOG_BYTES_MAX, exportMs = EXPORT_MS, aloneMs = ALONE_MS, ...limits } = logLimits;
  const log = createSqliteLogRestart(path, writer, limits);
  const exporting = new Set<Export>();
  let looks: NodeJS.Timeout | undefined;
  const connections = new Set<SqliteConnection>();
  /** With their prepared statements. */
  const idle: Reader[] = [];
  const openReader = (): Reader => {
    const connection = openSqliteConnection(path, 'queryOnly');
    connections.add(connection);
    // A snapshot reads each page once, so it needs no cache of 16 MB, the default of each connection.
    connection.pragma(`cache_size = -${SNAPSHOT_CACHE_KIB}`);
    return { connection, db: new Kysely<Tables>({ dialect: createSqliteDialect(connection, 'queryOnly') }) };
  };
  const close = ({ connection }: Reader) => {
    connections.delete(connection);
    connection.close();
  };
  const leave = (reader: Reader, purpose: SnapshotPurpose) => {
    const isKept = purpose !== 'export' && idle.length < IDLE_MAX && reader.connection.open;
    if (isKept && endTransaction(reader)) idle.push(reader);
    else close(reader);
  };
  /** A reader that takes its export slowly would let the log grow for as long. */
  const endSlowExports = () => {
    if (exporting.size === 0) return;
    const bytes = log.bytes();
    for (const each of exporting) if (bytes < each.logBytes) each.logBytes = 0;
    if (bytes <= exportLogBytesMax) return;
    const endsYoung = bytes > exportLogBytesMax * YOUNG_EXPORTS_FACTOR;
    const byTenant = Map.groupBy(exporting, ({ tenant }) => tenant);
    for (const { tenant, elapsedMs, logBytes, end } of exporting) {
      const isAlone = byTenant.get(tenant)?.length === 1;
      const youngMs = isAlone ? Math.min(aloneMs, exportMs) : 0;
      if (bytes > logBytes && elapsedMs() >= (endsYoung ? youngMs : exportMs)) end();
    }
  };
  const startExport = (snapshot: Export) => {
    exporting.add(snapshot);
    // Other processes may be the only ones that write.
    looks ??= setInterval(endSlowExports, LOOK_EVERY_MS).unref();
  };
  const endExport = (snapshot: Export) => {
    exporting.delete(snapshot);
    if (exporting.size > 0) return;
    clearInterval(looks);
    looks = undefined;
  };
  const begin = (purpose: SnapshotPurpose, tenant: string): Snapshot => {
    const logBytes = purpose === 'export' ? log.bytes() : 0;
    const reader = (purpose === 'export' ? undefined : idle.pop()) ?? openReader();
    try {
      // The first read of a transaction fixes the state that it sees.
      reader.connection.exec('begin; select 1 from tenant limit 1');
    } catch (error) {
      close(reader);
      throw error;
    }
    const endReading = log.enter(purpose === 'work');
    let isOpen = true;
    const snapshot = {
      tenant,
      elapsedMs: startStopwatch(),
      logBytes,
      end: () => {
        if (!isOpen) return;
        isOpen = false;
        endExport(snapshot);
        try {
          leave(reader, purpose);
        } finally {
          endReading();
        }
      },
    };
    if (purpose === 'export') startExport(snapshot);
    return {
      read: async (query) => {
        if (!isOpen) throw new StorageUnavailable(ENDED);
        try {
          return await guardRead(() => query(reader.db));
        } catch (error) {
          // It may have ended between two statements of the query.
          throw isOpen ? error : new StorageUnavailable(ENDED, { cause: error });
        }
      },
      [Symbol.asyncDispose]: async () => snapshot.end(),
    };
  };
  const open: Database['openSnapshot'] = async (purpose, tenant) => {
    // Loads hold up requests, and are rare.
    if (purpose === 'export') await log.turn();
    return guardRead(() => begin(purpose, tenant));
  };
  const during: SqliteSnapshots['during'] = async (transaction) => {
    try {
      return await log.during(transaction);
    } finally {
      endSlowExports();
    }
  };
  return { connections, open, during };
}

const ENDED =
  'An export was ended, because it took long while much was written: read it faster, or when less is written.';

function endTransaction({ connection }: Reader): boolean {
  try {
    connection.exec('rollback');
    return true;
  } catch {
    return false;
  }
}
