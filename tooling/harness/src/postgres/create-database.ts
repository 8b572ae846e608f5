import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database on a server, or a SQLite file. */
export interface TestDatabase {
  /** As `DATABASE_URL` takes it. */
  readonly url: string;
  /** Removes the database, even while clients are connected. */
  remove(): Promise<void>;
}

/** Creates an empty database on the server of the given address. */
export async function createDatabase(serverUrl: string, template = 'template0'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // In memory, copying the files takes two thirds of the time of logging each page.
  await run(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: urlOf(serverUrl, name),
    remove: () => run(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** Creates a copy of the named database, which is created and migrated first where it does not exist yet. */
export async function createFromTemplate(
  serverUrl: string,
  { name, migrate }: { readonly name: string; readonly migrate: (url: string) => Promise<void> },
): Promise<TestDatabase> {
  await withClient(serverUrl, async (client) => {
    // One worker process creates the template; others wait for the lock, which ends with the connection.
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return;
    await client.query(`create database ${name}_new template template0`);
    await migrate(urlOf(serverUrl, `${name}_new`));
    await client.query(`alter database ${name}_new rename to ${name}`);
  });
  return createDatabase(serverUrl, name);
}

/** The address of a database on a server. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function run(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement));
}

/** Uses a connection of its own. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  // When the server is killed, the statement rejects; the client's own error event must not end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
