import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '@access-admin/harness';
import type { Engine } from '../campaign/campaign.ts';

/** An empty database of a campaign's own. Disposing of it removes it. */
export interface OwnDatabase extends AsyncDisposable {
  /** As `DATABASE_URL` takes it. */
  readonly url: string;
  /** The server that it is on; null for SQLite. */
  readonly server: PostgresServer | null;
  /** The file that it is in; null for PostgreSQL. */
  readonly path: string | null;
}

export function openDatabase(engine: Engine): Promise<OwnDatabase> {
  return engine === 'sqlite' ? openSqliteFile() : openPostgresDatabase();
}

async function openSqliteFile(): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-proof-'));
  const path = join(folder, 'access-admin.db');
  return {
    url: `sqlite:${path}`,
    server: null,
    path,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openPostgresDatabase(): Promise<OwnDatabase> {
  // Only here: a platform without PostgreSQL can still run the campaigns on SQLite.
  const { startPostgres } = await import('@access-admin/harness');
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(`there is no PostgreSQL here: ${server.unavailable}`);
  try {
    const { url } = await server.createDatabase();
    return { url, server, path: null, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}
