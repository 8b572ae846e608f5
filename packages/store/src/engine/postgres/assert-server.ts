import { sql } from 'kysely';
import type { Reads } from '../database.ts';

const OLDEST_VERSION = 140_000;

/** Rejects when the server is too old, or when its settings could lose acknowledged writes at a power cut. */
export async function assertServer({ read }: Reads): Promise<void> {
  const { rows } = await read((db) =>
    sql<{ version: number; fsync: string; synchronousCommit: string; fullPageWrites: string; encoding: string }>`
      select current_setting('server_version_num')::integer as version, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as "synchronousCommit",
        current_setting('full_page_writes') as "fullPageWrites", current_setting('server_encoding') as encoding
    `.execute(db),
  );
  const [server] = rows;
  if (server === undefined) throw new Error('PostgreSQL does not report its settings.');
  if (server.version < OLDEST_VERSION) throw new Error('PostgreSQL is too old: 14 or later is needed.');
  if (server.encoding !== 'UTF8')
    throw new Error(`The encoding of the database is ${server.encoding}: UTF8 is needed.`);
  const loose = [
    ['fsync', server.fsync],
    ['synchronous_commit', server.synchronousCommit],
    ['full_page_writes', server.fullPageWrites],
  ].filter(([, value]) => value === 'off');
  if (loose.length > 0) {
    const names = loose.map(([name]) => name).join(', ');
    throw new Error(`PostgreSQL would lose acknowledged writes at a power cut: ${names} must not be off.`);
  }
}
