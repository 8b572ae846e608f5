import type { Kysely } from 'kysely';
import { gatherByTenant } from '../../engine/concurrency/gather.ts';
import type { MaybePromise } from '../../engine/concurrency/maybe-promise.ts';
import type { Database } from '../../engine/database.ts';
import { cacheRead } from '../../engine/read-cache.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import type { Tables } from '../../schema/tables.ts';
import { isPresent } from './is-present.ts';

/** A tenant, with its removal where that is under way. */
export interface StoredTenant {
  readonly tenant: string;
  /** Null where the first write had no time. */
  readonly created: string | null;
  readonly removal: TenantRemovalProgress | null;
}

export interface TenantRemovalProgress {
  readonly requested: string;
  /** How many rows are removed so far. */
  readonly removed: number;
}

/** The tenants that there are. */
export interface TenantStore {
  /**
   * Whether anything has brought a tenant into being, and it is not being removed. Questions about a tenant in one turn of the
   * event loop are one statement.
   */
  exists(tenant: string): Promise<boolean>;
  /**
   * Whether tokens of an external issuer are refused for this name: its tenant is being removed, or was so within 400 days. Asked
   * with every request of such an issuer.
   */
  isClosedToIssuers(tenant: string, nowMs: number): MaybePromise<boolean>;
  /** Null where there is no such tenant, or nothing of it any more. */
  find(tenant: string): Promise<StoredTenant | null>;
  /** Tenants by name. */
  list(page: Page): Promise<readonly StoredTenant[]>;
  count(): Promise<number>;
}

/** For how long the name of a removed tenant is kept against external issuers. */
export const REMOVED_NAME_KEPT_MS = 400 * 86_400_000;

export function createTenantStore(database: Pick<Database, 'read' | 'epochOf'>): TenantStore {
  const isThere = gatherByTenant(async (tenant, asked) => {
    const row = await database.read((db) =>
      db.selectFrom('tenant').select('tenant').where('tenant', '=', tenant).where(isPresent(tenant)).executeTakeFirst(),
    );
    return asked.map(() => row !== undefined);
  });
  // That a tenant is being removed is not kept: nothing tells when its name is free again.
  const findLastRemoval = cacheRead(database.epochOf, async (tenant) => {
    // Asked first: a removal that ends meanwhile is among those that have ended.
    if (await database.read((db) => isBeingRemoved(db, tenant))) return null;
    return { removedMs: await database.read((db) => findRemovedMs(db, tenant)) };
  });
  return {
    exists: (tenant) => isThere(tenant, ''),
    isClosedToIssuers: (tenant, nowMs) => {
      const isClosed = (last: { readonly removedMs: number | null } | null) =>
        last === null || (last.removedMs !== null && last.removedMs + REMOVED_NAME_KEPT_MS > nowMs);
      const last = findLastRemoval(tenant);
      return last instanceof Promise ? last.then(isClosed) : isClosed(last);
    },
    find: (tenant) => database.read((db) => findTenant(db, tenant)),
    list: ({ limit, offset }) =>
      database.read(async (db) =>
        (await tenantsOf(db).orderBy('tenant.tenant').limit(limit).offset(offset).execute()).map(rowToTenant),
      ),
    count: async () => {
      return database.read((db) => countRows(db.selectFrom('tenant')));
    },
  };
}

export async function isBeingRemoved(db: Kysely<Tables>, tenant: string): Promise<boolean> {
  const removal = await db
    .selectFrom('tenant_removal')
    .select('tenant')
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  return removal !== undefined;
}

/** When a tenant with this name was removed last; it may exist again. Null where none was. */
async function findRemovedMs(db: Kysely<Tables>, tenant: string): Promise<number | null> {
  const removed = await db
    .selectFrom('removed_tenant')
    .select('removed_ms')
    .where('name', '=', tenant)
    .executeTakeFirst();
  return removed?.removed_ms ?? null;
}

/** As of now within a transaction. Null where there is no such tenant. */
export async function findTenant(db: Kysely<Tables>, tenant: string): Promise<StoredTenant | null> {
  const row = await tenantsOf(db).where('tenant.tenant', '=', tenant).executeTakeFirst();
  return row === undefined ? null : rowToTenant(row);
}

const tenantsOf = (db: Kysely<Tables>) =>
  db
    .selectFrom('tenant')
    .leftJoin('tenant_removal as removal', 'removal.tenant', 'tenant.tenant')
    .select(['tenant.tenant', 'tenant.created', 'removal.requested', 'removal.removed']);

interface TenantRowWithRemoval {
  readonly tenant: string;
  readonly created: string | null;
  readonly requested: string | null;
  readonly removed: number | null;
}

const rowToTenant = ({ tenant, created, requested, removed }: TenantRowWithRemoval): StoredTenant => ({
  tenant,
  created,
  removal: requested === null ? null : { requested, removed: removed ?? 0 },
});
