import { type AuditContext, type AuditLogHead, fail, type NotFound, ok, type Result } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { isConstraintViolation } from '../../engine/postgres/errors.ts';
import { recordChange } from '../../record/audit/append-event.ts';
import { readHead } from '../../record/audit/store.ts';
import { keepRetiredKeys, type RetiredSigningKey } from '../../record/signing-keys/store.ts';
import { findTenant, type StoredTenant } from '../../record/tenants/store.ts';
import { TABLES, type Tables } from '../../schema/tables.ts';
import { markRemoval, NO_TENANT, recordRemoval, refuseRemovedCaller, removalScope } from '../removal/begin.ts';
import { createDigest, insertRows, readRows } from './rows.ts';

/** All rows of a tenant, as one database gives them and another takes them. */
export interface TenantRows {
  /** Rows of one table after the other, as JSON, in an order in which they can be inserted. Each call begins anew. */
  read(): AsyncIterable<{ readonly table: string; readonly rows: readonly string[] }>;
}

/** Why a database takes no tenant in. */
export type NotTaken = 'other tenant' | 'taken id';

/** Moves whole tenants between PostgreSQL databases: the one gives what the other takes. */
export interface TenantMoveStore {
  /**
   * Hands on all rows of a tenant. Meanwhile nothing is written of it: pause its callers. Once `take` has succeeded, the tenant is marked as being removed here, with the end of its audit log in the log of
   * the caller's tenant, as `TenantRemovalStore.begin` does. Where anything fails, the tenant is here as before.
   */
  give<F>(
    request: {
      readonly auditContext: AuditContext;
      readonly tenant: string;
      readonly sign: (head: AuditLogHead) => Promise<string>;
    },
    take: (rows: TenantRows) => Promise<Result<unknown, F>>,
  ): Promise<Result<StoredTenant, NotFound | F>>;
  /**
   * Stores these rows, all of them or none, and reads them back: throws where they are not the same. The public keys of the
   * database that gives them are kept as retired ones. The arrival is recorded in the log of the caller's tenant. A tenant that is there already with exactly these rows has been taken before; fails with
   * `other tenant` where it has others, and with `taken id` where an id that is unique among all tenants, such as that of an
   * application, is another tenant's.
   */
  take(
    request: {
      readonly auditContext: AuditContext;
      readonly tenant: string;
      readonly keys: readonly RetiredSigningKey[];
    },
    rows: TenantRows,
  ): Promise<Result<null, NotTaken>>;
}

const MOVED_TABLES = TABLES.filter((table) => 'tenant' in table.columns && table.name !== 'tenant_removal').map(
  ({ name }) => name,
);

export const createTenantMoveStore = (database: Database): TenantMoveStore => ({
  give: ({ auditContext, tenant, sign }, take) =>
    database.hold(async (held) => {
      await refuseRemovedCaller(held, auditContext);
      const marked = await held.writeAlone(removalScope(tenant), async (trx) => {
        const found = await findTenant(trx, tenant);
        if (found === null || found.removal !== null) return fail(NO_TENANT);
        await keepChecksOut(trx, tenant);
        await endClaims(trx, tenant);
        const taken = await take({ read: () => rowsIn(trx, tenant) });
        if (!taken.ok) return taken;
        return ok(await markRemoval(trx, { auditContext, found, sign }));
      });
      if (!marked.ok) return marked;
      await recordRemoval(held, { tenant, fence: 0 }, marked.value.record, { claimable_at_ms: 0 });
      return ok(marked.value.tenant);
    }),

  take: async ({ auditContext, tenant, keys }, given) => {
    try {
      return await database.writeAlone(removalScope(tenant), async (trx) => {
        const found = await findTenant(trx, tenant);
        const digest = createDigest();
        for await (const { table, rows } of given.read()) {
          if (found === null) await insertRows(trx, table, rows);
          digest.add(table, rows);
        }
        const stored = createDigest();
        for await (const { table, rows } of rowsIn(trx, tenant)) stored.add(table, rows);
        const isEqual = stored.text() === digest.text();
        if (found !== null) return isEqual && found.removal === null ? ok(null) : fail('other tenant');
        if (!isEqual) throw new Error(`The rows of ${tenant} are not stored as they were given.`);
        await keepRetiredKeys(trx, keys);
        const arrived = await findTenant(trx, tenant);
        const head = await readHead({ read: (query) => query(trx) }, tenant);
        await recordChange(trx, {
          auditContext,
          resource: { type: 'TENANT', id: tenant },
          before: null,
          after: { created: arrived?.created ?? null, auditHead: head },
        });
        return ok(null);
      });
    } catch (error) {
      if (isConstraintViolation(error)) return fail('taken id');
      throw error;
    }
  },
});

/** The statements that store new checks hold the row of their tenant. */
async function keepChecksOut(trx: Transaction<Tables>, tenant: string): Promise<void> {
  await sql`select 1 from tenant where tenant = ${tenant} for update`.execute(trx);
}

/**
 * Voids the claims of checks and loads, of which loads go on at once in the other database, and keeps others from appending events until the transaction ends: completions take no line of
 * the tenant. One that has waited finds its claim void.
 */
async function endClaims(trx: Transaction<Tables>, tenant: string): Promise<void> {
  await sql`update sod_check set fence = fence + 1 where tenant = ${tenant} and state = 'PENDING'`.execute(trx);
  await sql`update source_load set fence = fence + 1, claimable_at_ms = 0
    where tenant = ${tenant} and state = 'RUNNING'`.execute(trx);
  await sql`select 1 from event_head where tenant = ${tenant} for update`.execute(trx);
}

async function* rowsIn(trx: Transaction<Tables>, tenant: string) {
  for (const table of MOVED_TABLES)
    for await (const rows of readRows(trx, table, sql`tenant = ${tenant}`)) yield { table, rows };
}
