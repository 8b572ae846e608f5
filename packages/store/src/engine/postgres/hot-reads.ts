import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import { gather } from '../../concurrency/gather.ts';
import type { DecodeHotRow, HotReads, HotRows } from '../hot-reads.ts';
import { isOfValidLink } from '../link-generation.ts';
import { cacheRead } from '../read-cache.ts';
import type { PostgresDatabase } from './database.ts';

const KEYS_MAX = 1_000;
const TENANTS_MAX = 10_000;
/** The size of assignments as stored, so compressed. Longer ones do not come along with the version, and are read apart. */
const ACCESS_ALONG_BYTES_MAX = 4_096;

/** The statement that finds a row or none, from the SQL of a tenant and an id. Every table names the tenant, so one shard has all. */
type HotQuery = (tenant: string, id: string) => string;

const isPresent = (tenant: string) =>
  `not exists (select 1 from tenant_removal where tenant_removal.tenant = ${tenant})`;

const QUERIES: Readonly<Record<keyof HotRows, HotQuery>> = {
  callers: (tenant, id) => `
    select identity_id, capabilities, scopes, is_bootstrap, client.created, secret_version, previous_secret_ends_ms,
      maker_capabilities, previous_maker_capabilities, is_session_bound
    from oauth_client client
    left join identity on identity.tenant = client.tenant and identity.id = client.identity_id
    where client.tenant = ${tenant} and client.id = ${id} and ${isPresent(tenant)}`,
  capabilities: (tenant, id) => `
    select capabilities, created_ms from identity where identity.tenant = ${tenant} and identity.id = ${id} and ${isPresent(tenant)}`,
  sessions: (tenant, id) => `
    select session.id, identity_id, factors, session.link_generation, session.used_link, is_framed, address, session.created_ms, proven_ms,
      active_ms, expires_ms, idle_expires_ms, display_name, capabilities, settings.session as config
    from session
    join identity on identity.tenant = session.tenant and identity.id = session.identity_id
    join identity_profile profile on profile.tenant = session.tenant and profile.id = identity.identity_profile
    left join sign_in_settings settings on settings.tenant = session.tenant
    where session.tenant = ${tenant} and session.hash = ${id} and profile.type <> 'BLOCK'
      and ${isOfValidLink('session', tenant)} and ${isPresent(tenant)}`,
  removals: (tenant, id) => `
    select 1 as is_removed from tenant_removal where tenant_removal.tenant = ${tenant} and ${id} is not null`,
  removedNames: (tenant, id) => `
    select removed_ms from removed_tenant where removed_tenant.name = ${tenant} and ${id} is not null`,
  settings: (tenant, id) => `
    select lockout, session, network from sign_in_settings settings where settings.tenant = ${tenant} and ${id} is not null`,
  versions: (tenant, id) => `
    select tenant.policy_set_version, change_id, revision,
      case when pg_column_size(access) <= ${ACCESS_ALONG_BYTES_MAX} then access end as access, (
      select json_agg(json_build_array(
        policy_id, exception.id, starts, ends, approved, approved_terms, approved_items::json) order by exception.id)::text
      from sod_exception exception
      where exception.tenant = ${tenant} and identity_id = ${id} and identity_created_ms = identity.created_ms
        and approved is not null and revoked is null and voided is null
    ) as exceptions from tenant
    left join rulebook_change change on change.tenant = tenant.tenant
      and change.policy_set_version = tenant.policy_set_version
    left join identity on identity.tenant = tenant.tenant and identity.id = ${id}
    where tenant.tenant = ${tenant}`,
  assignments: (tenant, id) => `
    select policy_set_version, revision, access from identity left join tenant on tenant.tenant = identity.tenant
    where identity.tenant = ${tenant} and identity.id = ${id}`,
};

/** The rows of many keys: $1 tenants, $2 ids. */
const ofAll = (query: HotQuery): string => `
  select place, found.* from unnest($1::text[], $2::text[]) with ordinality as key (tenant, id, place)
  cross join lateral (${query('key.tenant', 'key.id')}) found`;

/** The rows of a tenant, so of one shard: $1 tenant, $2 ids. */
const ofTenant = (query: HotQuery): string => `
  select place, found.* from unnest($2::text[]) with ordinality as key (id, place)
  cross join lateral (${query('$1::text', 'key.id')}) found`;

type Deps = Pick<PostgresDatabase, 'pool' | 'guardRead' | 'epochOf' | 'layout'>;

interface ReadKey {
  readonly tenant: string;
  readonly id: string;
}

/** Reads that come together are one statement, which is prepared once on each connection. On a distributed database, each tenant has its own. */
export function createPostgresHotReads({ pool, guardRead, epochOf, layout }: Deps): HotReads {
  const createReadOfAll = <Q extends keyof HotRows, T>(name: Q, decode: DecodeHotRow<Q, T>) => {
    const text = ofAll(QUERIES[name]);
    return gather<ReadKey, T>(
      async (keys) => {
        const values = [keys.map(({ tenant }) => tenant), keys.map(({ id }) => id)];
        const { rows } = await guardRead(() => pool.query<PlacedRow<Q>>({ name, text, values }));
        return inOrder(keys, rows, decode);
      },
      { requestsMax: KEYS_MAX },
    );
  };
  const createReadOfEach = <Q extends keyof HotRows, T>(name: Q, decode: DecodeHotRow<Q, T>) => {
    const text = ofTenant(QUERIES[name]);
    const byTenant = new LRUCache<string, (id: string) => Promise<T>>({ max: TENANTS_MAX });
    const createReadOf = (tenant: string) =>
      gather<string, T>(
        async (ids) => {
          const { rows } = await guardRead(() => pool.query<PlacedRow<Q>>({ name, text, values: [tenant, ids] }));
          return inOrder(ids, rows, decode);
        },
        { requestsMax: KEYS_MAX },
      );
    return ({ tenant, id }: ReadKey): Promise<T> => {
      const read = byTenant.get(tenant) ?? createReadOf(tenant);
      byTenant.set(tenant, read);
      return read(id);
    };
  };
  const createRead = <Q extends keyof HotRows, T>(name: Q, decode: DecodeHotRow<Q, T>) => {
    const read = layout === 'distributed' ? createReadOfEach(name, decode) : createReadOfAll(name, decode);
    // The server refuses text with this character, and would refuse the other keys with it.
    return async (tenant: string, id: string) =>
      `${tenant}${id}`.includes('\0') ? decode(undefined) : read({ tenant, id });
  };
  return {
    read: createRead,
    within: (query, decode) => {
      const text = QUERIES[query]('$1::text', '$2::text');
      return async (trx, tenant, id) => {
        const { rows } = await trx.executeQuery<HotRows[typeof query]>(CompiledQuery.raw(text, [tenant, id]));
        return decode(rows[0]);
      };
    },
    cached: (query, decode, kept) => cacheRead(epochOf, createRead(query, decode), kept),
  };
}

/** The place of a key, from 1 on, and what was found for it. */
type PlacedRow<Q extends keyof HotRows> = HotRows[Q] & { readonly place: number };

function inOrder<Q extends keyof HotRows, T>(
  keys: readonly unknown[],
  rows: readonly PlacedRow<Q>[],
  decode: DecodeHotRow<Q, T>,
): readonly T[] {
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return keys.map((_, index) => decode(byPlace.get(index + 1)));
}
