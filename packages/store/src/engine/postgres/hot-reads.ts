import { gather } from '../../concurrency/gather.ts';
import type { DecodeHotRow, HotReads, HotRows } from '../hot-reads.ts';
import { isOfValidLink } from '../link-generation.ts';
import type { ReadKey } from '../read-key.ts';
import type { PostgresDatabase } from './database.ts';

const KEYS_MAX = 1_000;

// From the table `key` (tenant, id, place), with a row or none for each place.
const QUERIES: Readonly<Record<keyof HotRows, string>> = {
  callers: `
    select place, identity_id, capabilities, scopes, is_bootstrap, client.created, secret_version,
      previous_secret_ends_ms
    from key join oauth_client client using (tenant, id)
    left join identity on identity.tenant = client.tenant and identity.id = client.identity_id`,
  capabilities: 'select place, capabilities from key join identity using (tenant, id)',
  sessions: `
    select place, session.id, identity_id, factors, session.link_generation, is_framed, address, created_ms, proven_ms,
      active_ms, expires_ms, idle_expires_ms, display_name, capabilities, settings.session as config
    from key join session on session.tenant = key.tenant and session.hash = key.id
    join identity on identity.tenant = key.tenant and identity.id = session.identity_id
    join identity_profile profile on profile.tenant = key.tenant and profile.id = identity.identity_profile
    left join sign_in_settings settings on settings.tenant = key.tenant
    where profile.type <> 'BLOCK' and ${isOfValidLink('session')}`,
  settings: 'select place, lockout, session, network from key join sign_in_settings using (tenant)',
  versions: `
    select place, policy_set_version, change_id, revision, (
      select json_agg(json_build_array(policy_id, exception.id, starts, ends) order by exception.id)::text
      from sod_exception exception where exception.tenant = key.tenant and identity_id = key.id
        and approved is not null and revoked is null and voided is null
    ) as exceptions from key left join tenant using (tenant)
    left join rulebook_change using (tenant, policy_set_version) left join identity using (tenant, id)`,
  assignments: `
    select place, policy_set_version, revision, access from key join identity using (tenant, id)
    left join tenant using (tenant)`,
};

/** Reads that come together are one statement, prepared once on each connection. */
export function createPostgresHotReads({
  pool,
  guardRead,
  readCache,
}: Pick<PostgresDatabase, 'pool' | 'guardRead' | 'readCache'>): HotReads {
  const readMany = <Q extends keyof HotRows, T>(name: Q, decode: DecodeHotRow<Q, T>) => {
    const text = `with key as (
      select * from unnest($1::text[], $2::text[]) with ordinality as key (tenant, id, place)
    ) ${QUERIES[name]}`;
    const read = gather<ReadKey, T>(
      async (keys) => {
        const values = [keys.map(({ tenant }) => tenant), keys.map(({ id }) => id)];
        const { rows } = await guardRead(() => pool.query<HotRows[Q] & { place: number }>({ name, text, values }));
        const byPlace = new Map(rows.map((row) => [row.place, row]));
        return keys.map((_, index) => decode(byPlace.get(index + 1)));
      },
      { requestsMax: KEYS_MAX },
    );
    // The server refuses text with this character, and would refuse the other keys with it.
    return async (key: ReadKey) => (`${key.tenant}${key.id}`.includes('\0') ? decode(undefined) : read(key));
  };
  return {
    read: (query, decode) => {
      const read = readMany(query, decode);
      return (tenant, id) => read({ tenant, id });
    },
    cached: (query, decode) => readCache.cached(readMany(query, decode)),
  };
}
