import { UnsuitableAddress } from '../errors.ts';
import type { Query } from '../run-query.ts';
import { trigramFault } from './trigrams.ts';

const OLDEST_VERSION = 140_000;

/** What a server is, and how it keeps what it has acknowledged. */
interface PostgresServer {
  readonly version: number;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  readonly encoding: string;
}

/** Reads what a server is; nothing is needed of the schema. */
export async function readServer(query: Query): Promise<PostgresServer> {
  const [server] = await query<PostgresServer>(`
    select current_setting('server_version_num')::integer as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('full_page_writes') as "fullPageWrites", current_setting('server_encoding') as encoding`);
  if (server === undefined) throw new Error('PostgreSQL does not report its settings.');
  return server;
}

/** The settings that are off, with which acknowledged writes are lost at a power cut. */
export const looseSettings = ({ fsync, synchronousCommit, fullPageWrites }: PostgresServer): readonly string[] =>
  Object.entries({ fsync, synchronous_commit: synchronousCommit, full_page_writes: fullPageWrites })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);

/** Rejects when the server is too old, lacks trigrams, or when its settings could lose acknowledged writes at a power cut. */
export async function assertServer(query: Query): Promise<void> {
  const server = await readServer(query);
  if (server.version < OLDEST_VERSION) throw new Error('PostgreSQL is too old: 14 or later is needed.');
  if (server.encoding !== 'UTF8')
    throw new Error(`The encoding of the database is ${server.encoding}: UTF8 is needed.`);
  const loose = looseSettings(server).join(', ');
  if (loose !== '')
    throw new Error(`PostgreSQL would lose acknowledged writes at a power cut: ${loose} must not be off.`);
  const fault = await trigramFault(query);
  if (fault !== null) throw new UnsuitableAddress(fault);
}
