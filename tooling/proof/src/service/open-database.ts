import { join } from 'node:path';
import {
  createEmptyOnCitus,
  distributeByCommand,
  openFolder,
  type PostgresServer,
  startPostgres,
} from '@access-admin/harness';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { Engine } from '../campaign/campaign.ts';

/** An empty database for one campaign. Disposing of it removes it. */
export interface OwnDatabase extends AsyncDisposable {
  /** As `DATABASE_URL` takes it. */
  readonly url: string;
  /** The server of this database alone; null where the campaign asked for none, and for the other engines. */
  readonly server: PostgresServer | null;
  /** The file of the database; null for the other engines. */
  readonly path: string | null;
}

export interface DatabasePlan {
  /** Whether the campaign disturbs its PostgreSQL server: it then has one of its own. The others share one. */
  readonly hasOwnServer?: boolean;
}

export const openDatabase = (engine: Engine, plan: DatabasePlan = {}): Promise<OwnDatabase> => OPEN[engine](plan);

const OPEN: Readonly<Record<Engine, (plan: DatabasePlan) => Promise<OwnDatabase>>> = {
  sqlite: () => openSqliteFile(),
  postgres: ({ hasOwnServer = false }) => (hasOwnServer ? openOwnServer() : openOnSharedServer()),
  citus: () => openCitusDatabase(),
};

async function openSqliteFile(): Promise<OwnDatabase> {
  const folder = openFolder('proof');
  const path = join(folder.path, 'access-admin.db');
  return { url: `sqlite:${path}`, server: null, path, [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
}

async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(`PostgreSQL is unavailable: ${server.unavailable}`);
  return server;
}

let sharedServer: Promise<PostgresServer> | null = null;

async function openOnSharedServer(): Promise<OwnDatabase> {
  sharedServer ??= startServer();
  const { url, remove } = await (await sharedServer).createDatabase();
  return { url, server: null, path: null, [Symbol.asyncDispose]: remove };
}

/** Ends the server that campaigns share. */
export async function endSharedServer(): Promise<void> {
  await (await sharedServer)?.[Symbol.asyncDispose]();
  sharedServer = null;
}

async function openOwnServer(): Promise<OwnDatabase> {
  const server = await startServer();
  try {
    const { url } = await server.createDatabase();
    return { url, server, path: null, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Two on each of the nodes with rows. */
const SHARDS = 4;

async function openCitusDatabase(): Promise<OwnDatabase> {
  const coordinator = process.env['TEST_CITUS_URL'];
  if (!coordinator) throw new Error('TEST_CITUS_URL names no coordinator of a Citus cluster');
  // No copy of another one: what Citus knows of databases would be that of the other.
  const { url, remove } = await createEmptyOnCitus(coordinator);
  const database = { url, server: null, path: null, [Symbol.asyncDispose]: remove };
  await using stack = new AsyncDisposableStack();
  stack.use(database);
  await distributeByCommand(url, SHARDS);
  stack.move();
  return database;
}

/** A row as the driver of the engine reads it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Direct access to a database, which may be that of a running service. */
export interface Sql extends AsyncDisposable {
  /** Runs one statement and returns its rows. */
  run(statement: string): Promise<readonly SqlRow[]>;
  /** The first column of each row. */
  texts(statement: string): Promise<readonly string[]>;
}

const BUSY_MS = 5_000;

export const openSql = ({ url, path }: OwnDatabase): Promise<Sql> =>
  path === null ? openPostgres(url) : openSqlite(path);

export async function openPostgres(url: string): Promise<Sql> {
  const client = new pg.Client({ connectionString: url });
  // The server may stop while the client is connected.
  client.on('error', () => {});
  await client.connect();
  return createSql(
    async (statement) => (await client.query(statement)).rows,
    () => client.end(),
  );
}

/** Opens an existing file. */
export const openSqlite = async (path: string): Promise<Sql> =>
  onConnection(new Sqlite(path, { timeout: BUSY_MS, fileMustExist: true }));

function onConnection(connection: Sqlite.Database): Sql {
  const run: Sql['run'] = async (text) => {
    const statement = connection.prepare<[], SqlRow>(text);
    if (statement.reader) return statement.all();
    statement.run();
    return [];
  };
  return createSql(run, async () => void connection.close());
}

const createSql = (run: Sql['run'], close: () => Promise<void>): Sql => ({
  run,
  texts: async (statement) => (await run(statement)).map((row) => String(Object.values(row)[0])),
  [Symbol.asyncDispose]: close,
});

/** Findings of SQLite's own checks of a file. */
export async function findCorruption(sql: Sql): Promise<readonly string[]> {
  const unsound = (await sql.texts('pragma integrity_check')).filter((text) => text !== 'ok');
  const { length: dangling } = await sql.run('pragma foreign_key_check');
  return dangling === 0 ? unsound : [...unsound, `${dangling} dangling references`];
}
