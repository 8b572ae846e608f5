import type { FoundSchema } from '../../schema/misfit.ts';
import { KEY_CHECK_QUERY, type KeyCheck } from '../../schema/tables/secret-key.ts';
import { examineLayout } from '../citus/examine-layout.ts';
import { queryOn } from '../run-query.ts';
import { looseSettings, readServer } from './assert-server.ts';
import { keepsSessions, SESSIONS_NEEDED } from './keeps-sessions.ts';
import { POSTGRES_LIMITS } from './limits.ts';
import { createPostgresConnections, OF_EXAMINATION } from './pool.ts';
import { trigramFault } from './trigrams.ts';

/** What a PostgreSQL database is like, for its operator. */
export interface ExaminedPostgres extends FoundSchema {
  /** Why the service does not start with connections to this address, and what to do; null where it does. */
  readonly connectionFault: string | null;
  /** The settings that are off and must not be: acknowledged writes would be lost at a power cut. */
  readonly looseSettings: readonly string[];
  /** Why texts cannot be searched, and what to do; null where they can. */
  readonly searchFault: string | null;
  /** How the key of its secrets is recognized; null before the first key. */
  readonly keyCheck: KeyCheck | null;
  readonly bytes: number;
  /** Why the service does not start on how tenants are distributed, and what to do; none where it does. */
  readonly layoutFaults: readonly string[];
  /** How many nodes take shards, and how many each table has; null where tenants are on one server. */
  readonly shards: { readonly nodes: number; readonly count: number } | null;
}

/** Examines a database without changing it. Rejects when it is not reached. */
export async function examinePostgres(url: string): Promise<ExaminedPostgres> {
  const connections = createPostgresConnections(url, POSTGRES_LIMITS, OF_EXAMINATION);
  const pool = connections.openPool(1);
  const query = queryOn(pool);
  try {
    const connectionFault = (await keepsSessions(connections)) ? null : SESSIONS_NEEDED;
    const server = await readServer(query);
    const [database = { bytes: 0, isListed: false, hasTables: false, hasKeys: false }] = await query<{
      bytes: number;
      isListed: boolean;
      hasTables: boolean;
      hasKeys: boolean;
    }>(`
      select pg_database_size(current_database()) as bytes, to_regclass('kysely_migration') is not null as "isListed",
        to_regclass('tenant') is not null as "hasTables", to_regclass('secret_key') is not null as "hasKeys"`);
    const found = database.isListed ? await query<{ name: string }>('select name from kysely_migration') : [];
    const [keyCheck = null] = database.hasKeys ? await query<KeyCheck>(KEY_CHECK_QUERY) : [];
    const { faults, cluster } = await examineLayout(query);
    return {
      connectionFault,
      looseSettings: looseSettings(server),
      searchFault: await trigramFault(query),
      keyCheck,
      bytes: database.bytes,
      layoutFaults: faults,
      shards:
        cluster === null
          ? null
          : { nodes: cluster.nodes.filter(({ hasShards }) => hasShards).length, count: cluster.shards },
      migrations: found.map(({ name }) => name),
      hasTables: database.hasTables,
    };
  } finally {
    await pool.end();
  }
}
