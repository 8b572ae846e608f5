import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../../schema/tables.ts';
import type { Database, Snapshot } from '../database.ts';
import type { Guard } from '../retry.ts';

// Reads of snapshots go through a table by pages in the order of an index. Where the planner knows nothing of a table, as after
// a large import, it would sort all that is left for each page. Before version 18 a sort that cannot be avoided then seems so
// expensive that the server would compile the query first.
const BEGIN = 'begin isolation level repeatable read read only';
const BEGIN_LONG = `${BEGIN}; set local enable_sort = off; set local jit = off`;

type SnapshotPurpose = Parameters<Database['openSnapshot']>[0];

interface SnapshotDeps {
  /** For the begin of a snapshot. */
  readonly guardRead: Guard;
  /** For its reads, which are never repeated: after a failed one, all of its transaction fails. */
  readonly guardOnce: Guard;
}

interface PostgresSnapshots {
  readonly open: Database['openSnapshot'];
  /** Ends the open snapshots. */
  endAll(): Promise<void>;
}

/** Each snapshot is a transaction on its own connection, so that all its reads are as of one instant. */
export function createPostgresSnapshots(
  pools: Readonly<Record<SnapshotPurpose, pg.Pool>>,
  { guardRead, guardOnce }: SnapshotDeps,
): PostgresSnapshots {
  const open = new Set<() => Promise<void>>();
  const begin = async (purpose: SnapshotPurpose, tenant: string): Promise<Snapshot> => {
    const pool = pools[purpose];
    const client = await pool.connect();
    const end = async () => {
      if (!open.delete(end)) return;
      // A connection that cannot roll back is broken and must not be reused.
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      );
    };
    open.add(end);
    try {
      await client.query(purpose === 'answer' ? BEGIN : BEGIN_LONG);
      // The first read of a transaction fixes the state that it sees. That of an answer comes at once.
      if (purpose !== 'answer') await client.query('select 1 from tenant where tenant = $1', [tenant]);
    } catch (error) {
      await end();
      throw error;
    }
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(client, pool) }) });
    return { read: (query) => guardOnce(() => query(db)), [Symbol.asyncDispose]: end };
  };
  return {
    open: (purpose, tenant) => guardRead(() => begin(purpose, tenant)),
    endAll: async () => {
      await Promise.all([...open].map((end) => end()));
    },
  };
}

const poolOf = (client: pg.PoolClient, { options }: pg.Pool) => ({
  options,
  connect: async () => ({ query: client.query.bind(client), release: () => {} }),
  end: async () => {},
});
