import { type AuditContext, changesBetween, newEvent, type Result, type UiMetadata } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import { type Change, type Failed, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { changeScope } from '../engine/scope.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import { ensureTenant } from '../record/tenants/versions.ts';
import type { Tables } from '../schema/tables.ts';

export interface UiMetadataStore {
  /** Three nulls when nothing is set. */
  read(tenant: string): Promise<UiMetadata>;
  /** Reads, decides and stores in one transaction. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    change: Change<UiMetadata, UiMetadata, F, G>,
  ): Promise<Result<UiMetadata, F | G>>;
}

export function createUiMetadataStore(database: Database): UiMetadataStore {
  return {
    read: (tenant) => database.read((db) => readUiMetadata(db, tenant)),
    change: (auditContext, { precondition = unconditional, decide }) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const before = await readUiMetadata(trx, tenant);
        const decision = underPrecondition(precondition(before), decide(before));
        if (decision.ok) {
          await ensureTenant(trx, tenant, auditContext.time);
          await writeUiMetadata(trx, tenant, decision.value);
          const resource = { type: 'UI_METADATA', id: 'tenant' } as const;
          await recordChange(trx, { auditContext, resource, before, after: decision.value });
          if (changesBetween(before, decision.value).length > 0)
            await appendEvents(trx, tenant, [
              newEvent('ui-metadata.changed', 'tenant', { time: auditContext.time, data: decision.value }),
            ]);
        }
        return decision;
      }),
  };
}

/** Three nulls when nothing is set. */
export async function readUiMetadata(db: Kysely<Tables>, tenant: string): Promise<UiMetadata> {
  const row = await db
    .selectFrom('tenant')
    .select(['iframe_whitelist', 'username_label', 'username_empty_text'])
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  return {
    iFrameWhitelist: row?.iframe_whitelist ?? null,
    usernameLabel: row?.username_label ?? null,
    usernameEmptyText: row?.username_empty_text ?? null,
  };
}

/** The tenant must exist. */
export async function writeUiMetadata(trx: Transaction<Tables>, tenant: string, metadata: UiMetadata): Promise<void> {
  await trx
    .updateTable('tenant')
    .set({
      iframe_whitelist: metadata.iFrameWhitelist,
      username_label: metadata.usernameLabel,
      username_empty_text: metadata.usernameEmptyText,
    })
    .where('tenant', '=', tenant)
    .execute();
}
