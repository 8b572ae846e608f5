import type pg from 'pg';
import { gather } from '../../concurrency/gather.ts';
import type { CallerRecord } from '../../oauth/clients.ts';
import { unpackAccess } from '../../rows/access-codec.ts';
import { parseApprovedExceptions } from '../../rows/approved-exceptions.ts';
import { parseCapabilities } from '../../rows/identity-codec.ts';
import type { PostgresDatabase } from './database.ts';
import type { ReadKey } from './read-cache.ts';

const KEYS_MAX = 1_000;

/** Those that come together are one statement, prepared once on each connection. */
export function createPostgresHotReads({
  pool,
  guardRead,
  readCache: cache,
}: Pick<PostgresDatabase, 'pool' | 'guardRead' | 'readCache'>) {
  const readMany = createReadMany({ pool, guardRead });
  const readCallers = readMany<{ identity_id: string | null; capabilities: string | null }, CallerRecord | null>(
    'callers',
    `select place, identity_id, capabilities from key join oauth_client client using (tenant, id)
     left join identity on identity.tenant = client.tenant and identity.id = client.identity_id`,
    (row) => {
      if (row === undefined) return null;
      if (row.identity_id === null) return { identityId: null, capabilities: [] };
      const { identity_id: identityId, capabilities: text } = row;
      return { identityId, capabilities: text === null ? null : parseCapabilities(text) };
    },
  );
  const readCapabilities = readMany<{ capabilities: string }, ReturnType<typeof parseCapabilities> | null>(
    'capabilities',
    'select place, capabilities from key join identity using (tenant, id)',
    (row) => (row === undefined ? null : parseCapabilities(row.capabilities)),
  );
  const readVersions = readMany(
    'versions',
    `select place, policy_set_version, change_id, revision, (
       select json_agg(json_build_array(policy_id, exception.id, starts, ends) order by exception.id)::text
       from sod_exception exception where exception.tenant = key.tenant and identity_id = key.id
         and approved is not null and revoked is null and voided is null
     ) as exceptions from key left join tenant using (tenant)
     left join rulebook_change using (tenant, policy_set_version) left join identity using (tenant, id)`,
    (row: VersionRow | undefined) => ({
      policySetVersion: row?.policy_set_version ?? 0,
      changeId: row?.change_id ?? null,
      revision: row?.revision ?? null,
      exceptions: parseApprovedExceptions(row?.exceptions),
    }),
  );
  const readAssignments = readMany(
    'assignments',
    `select place, policy_set_version, revision, access from key join identity using (tenant, id)
     left join tenant using (tenant)`,
    (row: { policy_set_version: number | null; revision: number; access: string } | undefined) =>
      row === undefined
        ? null
        : {
            policySetVersion: row.policy_set_version ?? 0,
            revision: row.revision,
            access: unpackAccess(row.access),
          },
  );
  return {
    findCaller: cache.remember(readCallers),
    findCapabilities: cache.remember(readCapabilities),
    readVersion: cache.remember(readVersions),
    readAssignments: (tenant: string, id: string) => readAssignments({ tenant, id }),
  };
}

interface VersionRow {
  readonly policy_set_version: number | null;
  readonly change_id: string | null;
  readonly revision: number | null;
  readonly exceptions: string | null;
}

/** Reads a row, or none, for a key; the rows of all keys that come together with one statement. */
function createReadMany({ pool, guardRead }: Pick<PostgresDatabase, 'pool' | 'guardRead'>) {
  return <R extends pg.QueryResultRow, T>(name: string, select: string, decode: (row: R | undefined) => T) => {
    const read = gather<ReadKey, T>(
      async (keys) => {
        // In the order of the keys, with a row for each or none.
        const text = `with key as (
          select * from unnest($1::text[], $2::text[]) with ordinality as key (tenant, id, place)
        ) ${select}`;
        const values = [keys.map(({ tenant }) => tenant), keys.map(({ id }) => id)];
        const { rows } = await guardRead(() => pool.query<R & { place: number }>({ name, text, values }));
        const byPlace = new Map(rows.map((row) => [row.place, row]));
        return keys.map((_, index) => decode(byPlace.get(index + 1)));
      },
      { requestsMax: KEYS_MAX },
    );
    // The server takes no such text, and would refuse the keys of others with it.
    return async (key: ReadKey) => (`${key.tenant}${key.id}`.includes('\0') ? decode(undefined) : read(key));
  };
}
