import { type AuditContext, type AuditLogHead, failure, type NotFound } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Reads, ReadsAndWrites } from '../../engine/database.ts';
import { TenantRemoved } from '../../engine/errors.ts';
import type { Scope } from '../../engine/scope.ts';
import { recordChange } from '../../record/audit/append-event.ts';
import { readHead } from '../../record/audit/store.ts';
import { findTenant, type StoredTenant } from '../../record/tenants/store.ts';
import type { Tables } from '../../schema/tables.ts';

export const NO_TENANT: NotFound = failure('NotFound', '', 'There is no such tenant.');

/** Alone with all data of a tenant: it waits for every write of it. */
export const removalScope = (tenant: string): Scope => ({ tenant, changes: 'removal' });

/** Throws a `TenantRemoved` where the caller's tenant is being removed: it removes no other one. */
export async function refuseRemovedCaller({ read }: Reads, { tenant }: AuditContext): Promise<void> {
  const own = await read((db) => findTenant(db, tenant));
  if (own !== null && own.removal !== null) throw new TenantRemoved(tenant);
}

/** A tenant that has just been marked, and what is to be recorded of it. */
interface Marked {
  readonly tenant: StoredTenant;
  readonly record: RemovalRecord;
}

/** What the log of the caller's tenant tells of a removal. */
export interface RemovalRecord {
  readonly auditContext: AuditContext;
  readonly before: object;
}

/** For so long, no other process records a removal that has just begun. */
const RECORD_MS_MAX = 5_000;

/** Marks a tenant as being removed, in a transaction of its `removalScope`. `recordRemoval` is to follow. */
export async function markRemoval(
  trx: Transaction<Tables>,
  {
    auditContext,
    found,
    sign,
  }: {
    readonly auditContext: AuditContext;
    readonly found: StoredTenant;
    readonly sign: (head: AuditLogHead) => Promise<string>;
  },
): Promise<Marked> {
  const { tenant, created } = found;
  const head = await readHead({ read: (query) => query(trx) }, tenant);
  const { authorization: _, ...by } = auditContext;
  const record = { auditContext: by, before: { created, auditHead: { ...head, signature: await sign(head) } } };
  const { time: requested } = auditContext;
  await trx
    .insertInto('tenant_removal')
    .values({
      tenant,
      requested,
      removed: 0,
      fence: 0,
      claimable_at_ms: Date.parse(requested) + RECORD_MS_MAX,
      record: JSON.stringify(record),
    })
    .execute();
  await trx
    .updateTable('tenant')
    .set({ is_removed: 1, register_behind_since: null })
    .where('tenant', '=', tenant)
    .execute();
  await endWork(trx, tenant);
  return { tenant: { ...found, removal: { requested, removed: 0 } }, record };
}

/**
 * Records a removal in the log of the caller's tenant, once, and notes that it is recorded. The log may be on another server than
 * the tenant, so that one write cannot do both. A log that is being removed itself takes no record.
 */
export async function recordRemoval(
  database: ReadsAndWrites,
  { tenant, fence }: { readonly tenant: string; readonly fence: number },
  { auditContext, before }: RemovalRecord,
  noted: { readonly claimable_at_ms?: number } = {},
): Promise<void> {
  const resource = { type: 'TENANT', id: tenant } as const;
  await database
    .write({ tenant: auditContext.tenant, changes: 'auditLog' }, async (trx) => {
      const recorded = await trx
        .selectFrom('audit_event')
        .select('sequence')
        .where('tenant', '=', auditContext.tenant)
        .where('resource_id', '=', tenant)
        .where('resource_type', '=', resource.type)
        .where('tracking_id', '=', auditContext.trackingId)
        .where('time', '=', auditContext.time)
        .limit(1)
        .executeTakeFirst();
      if (recorded === undefined) await recordChange(trx, { auditContext, resource, before, after: null });
    })
    .catch((error) => {
      if (!(error instanceof TenantRemoved)) throw error;
    });
  await database.write(removalScope(tenant), (trx) =>
    heldBy(trx, tenant, fence)
      .set({ record: null, ...noted })
      .execute(),
  );
}

/** The removal, while no other process has claimed it. */
export const heldBy = (trx: Transaction<Tables>, tenant: string, fence: number) =>
  trx.updateTable('tenant_removal').where('tenant', '=', tenant).where('fence', '=', fence);

/** Deletes at once the other rows by which workers find work, which are few: of reports that wait, of loads, of webhooks, of the register, of erasures and of the stream of its audit log, and mails. */
async function endWork(trx: Transaction<Tables>, tenant: string): Promise<void> {
  await trx.deleteFrom('register_head').where('tenant', '=', tenant).execute();
  await trx.deleteFrom('mail').where('tenant', '=', tenant).execute();
  await trx.deleteFrom('audit_stream').where('tenant', '=', tenant).execute();
  await trx.deleteFrom('identity_erasure').where('tenant', '=', tenant).execute();
  await trx.deleteFrom('source_load').where('tenant', '=', tenant).where('state', '=', 'RUNNING').execute();
  await trx.deleteFrom('webhook').where('tenant', '=', tenant).execute();
  await trx.deleteFrom('sod_report').where('tenant', '=', tenant).where('completed', 'is', null).execute();
}
