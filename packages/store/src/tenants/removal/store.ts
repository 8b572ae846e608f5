import { type AuditContext, type AuditLogHead, fail, type NotFound, ok, type Result } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { isPostgres } from '../../engine/is-postgres.ts';
import { deleteSome } from '../../query/delete-some.ts';
import { type ClaimRequest, createLeasedQueue } from '../../queue/queue.ts';
import { findTenant, REMOVED_NAME_KEPT_MS, type StoredTenant } from '../../record/tenants/store.ts';
import { type Tables, TENANT_TABLES } from '../../schema/tables.ts';
import { heldBy, markRemoval, NO_TENANT, recordRemoval, refuseRemovedCaller, removalScope } from './begin.ts';

/** A removal that a process carries out until its lease ends. */
export interface TenantRemovalClaim {
  readonly tenant: string;
  /** Only the latest claim has an effect. */
  readonly fence: number;
  readonly requestedMs: number;
}

/** What became of some work on a removal. */
export type TenantRemovalStep =
  /** The table to go on with. */
  | { readonly next: number }
  /** Nothing is left of the tenant, and its name is free. */
  | 'done'
  /** Another process has it, or has ended it. */
  | 'lost';

/** The removal of whole tenants: asked for by callers, carried out by workers in batches. */
export interface TenantRemovalStore {
  /**
   * Marks the tenant as being removed: from the commit on nobody acts in it, and its name is taken. The end of its audit log,
   * with the signature that `sign` makes of it, is recorded in the log of the caller's tenant then; where that fails, whoever
   * claims the removal does it before anything is removed. Has no effect on a tenant that is being removed.
   */
  begin(
    auditContext: AuditContext,
    tenant: string,
    sign: (head: AuditLogHead) => Promise<string>,
  ): Promise<Result<StoredTenant, NotFound>>;
  /** Claims removals, as `LeasedQueue` says. */
  claim(request: ClaimRequest): Promise<readonly TenantRemovalClaim[]>;
  /** Removes some rows, from the table `at` on, and prolongs the lease. The first one is 0. */
  removeSome(claim: TenantRemovalClaim, at: number, leaseEndMs: number): Promise<TenantRemovalStep>;
  /** Frees the name of a tenant of which nothing is left. */
  finish(claim: TenantRemovalClaim): Promise<TenantRemovalStep>;
  /** Gives a removal back until an instant. */
  release(claim: TenantRemovalClaim, claimableAtMs: number): Promise<void>;
}

// So few that a batch takes some milliseconds: other writes run between two of them.
const BATCH_ROWS = 250;

/**
 * The tables that have rows of tenants, in the order in which they are emptied: checks first, since a check that is concluded
 * appends an event; then each table before those that it refers to.
 */
const EMPTIED_TABLES = TENANT_TABLES.filter(({ name }) => name !== 'tenant' && name !== 'tenant_removal')
  .toReversed()
  .sort((one, other) => Number(other.name === 'sod_check') - Number(one.name === 'sod_check'));

export function createTenantRemovalStore(database: Database): TenantRemovalStore {
  const queue = createLeasedQueue(database, {
    name: 'tenant_removal',
    id: 'tenant',
    pending: () => sql<boolean>`true`,
    sharedPerAlone: null,
    order: 'tenant',
    arisesFrom: ['any'],
  });
  return {
    claim: async (request) => {
      const claims: TenantRemovalClaim[] = [];
      for (const { tenant, fence, requested, record } of await queue.claim(request)) {
        if (record !== null) await recordRemoval(database, { tenant, fence }, JSON.parse(record));
        claims.push({ tenant, fence, requestedMs: Date.parse(requested) });
      }
      return claims;
    },

    begin: (auditContext, tenant, sign) =>
      database.hold(async (held) => {
        await refuseRemovedCaller(held, auditContext);
        const begun = await held.write(removalScope(tenant), async (trx) => {
          const found = await findTenant(trx, tenant);
          if (found === null || found.removal !== null) return { tenant: found, record: null };
          return markRemoval(trx, { auditContext, found, sign });
        });
        if (begun.tenant === null) return fail(NO_TENANT);
        if (begun.record !== null)
          await recordRemoval(held, { tenant, fence: 0 }, begun.record, { claimable_at_ms: 0 });
        return ok(begun.tenant);
      }),

    removeSome: ({ tenant, fence }, at, leaseEndMs) =>
      database.write(removalScope(tenant), async (trx): Promise<TenantRemovalStep> => {
        // First: it locks the row, so that of two claims only the latest goes on.
        const { numUpdatedRows } = await heldBy(trx, tenant, fence)
          .set({ claimable_at_ms: leaseEndMs })
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return 'lost';
        let removed = 0;
        let next = at;
        for (let table = EMPTIED_TABLES[next]; table !== undefined; table = EMPTIED_TABLES[++next]) {
          removed += await removeRows(trx, table, { tenant, limit: BATCH_ROWS - removed });
          if (removed >= BATCH_ROWS) break;
        }
        await heldBy(trx, tenant, fence)
          .set((eb) => ({ removed: eb('removed', '+', removed) }))
          .execute();
        return { next };
      }),

    finish: ({ tenant, fence, requestedMs }) =>
      database.hold(async (held) => {
        const remains = { tenant, changes: 'remains' } as const;
        const left = await held.write(remains, async (trx): Promise<TenantRemovalStep | null> => {
          const { numUpdatedRows } = await heldBy(trx, tenant, fence).set({ fence }).executeTakeFirst();
          if (numUpdatedRows === 0n) return 'lost';
          for (const [next, { name }] of EMPTIED_TABLES.entries()) {
            const { rows } = await sql`select 1 from ${sql.table(name)} where tenant = ${tenant} limit 1`.execute(trx);
            if (rows.length > 0) return { next };
          }
          await trx.deleteFrom('tenant').where('tenant', '=', tenant).execute();
          await forgetChanges(trx, tenant);
          return null;
        });
        if (left !== null) return left;
        // Every process forgets what it has cached of this tenant before its name is free: the versions of a later one begin anew.
        await held.write('shared', async (trx) => {
          await trx.deleteFrom('oauth_client_tenant').where('tenant', '=', tenant).execute();
          await keepName(trx, tenant, requestedMs);
        });
        return held.write(remains, async (trx) => {
          const { numDeletedRows } = await trx
            .deleteFrom('tenant_removal')
            .where('tenant', '=', tenant)
            .where('fence', '=', fence)
            .executeTakeFirst();
          if (numDeletedRows === 0n) return 'lost';
          // The locks of this write may have made rows.
          await forgetChanges(trx, tenant);
          return 'done';
        });
      }),

    release: ({ tenant, fence }, availableAtMs) =>
      queue.release([{ tenant, id: tenant, fence }], { availableAtMs, isAttempt: false }),
  };
}

/** Keeps the name against tokens of external issuers, and forgets those that were kept for long enough. */
async function keepName(trx: Transaction<Tables>, name: string, removedMs: number): Promise<void> {
  await trx
    .insertInto('removed_tenant')
    .values({ name, removed_ms: removedMs })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ removed_ms: removedMs }))
    .execute();
  await trx
    .deleteFrom('removed_tenant')
    .where('removed_ms', '<', removedMs - REMOVED_NAME_KEPT_MS)
    .execute();
}

async function forgetChanges(trx: Transaction<Tables>, tenant: string): Promise<void> {
  if (isPostgres(trx)) await sql`delete from tenant_change where tenant = ${tenant}`.execute(trx);
}

/** Whether every table has been gone through. */
export const isThrough = (at: number): boolean => at >= EMPTIED_TABLES.length;

async function removeRows(
  trx: Transaction<Tables>,
  { name, key }: (typeof EMPTIED_TABLES)[number],
  { tenant, limit }: { readonly tenant: string; readonly limit: number },
): Promise<number> {
  const own = sql<boolean>`tenant = ${tenant}`;
  const columns = (typeof key === 'string' ? key : key.postgres).split(', ').filter((column) => column !== 'tenant');
  if (columns.length > 0) return deleteSome(trx, { table: name, key: columns, own }, limit);
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(name)} where ${own}`.execute(trx);
  return Number(numAffectedRows);
}
