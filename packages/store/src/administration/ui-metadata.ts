import type { AuditContext, Result, UiMetadata } from '@access-admin/domain';
import { recordChange } from '../audit/append-event.ts';
import type { Database } from '../engine/database.ts';
import { ensureTenant, readUiMetadata, writeUiMetadata } from '../rows/tenant.ts';

export interface UiMetadataStore {
  /** Three nulls where nothing is set. */
  read(tenant: string): Promise<UiMetadata>;
  /** Reads, decides and stores in one transaction. */
  change<F>(
    auditContext: AuditContext,
    decide: (metadata: UiMetadata) => Result<UiMetadata, F>,
  ): Promise<Result<UiMetadata, F>>;
}

export function createUiMetadataStore(database: Database): UiMetadataStore {
  return {
    read: (tenant) => database.read((db) => readUiMetadata(db, tenant)),
    change: (auditContext, decide) =>
      database.write(auditContext, async (trx) => {
        const { tenant } = auditContext;
        const before = await readUiMetadata(trx, tenant);
        const decision = decide(before);
        if (decision.ok) {
          await ensureTenant(trx, tenant, null);
          await writeUiMetadata(trx, tenant, decision.value);
          const resource = { type: 'UI_METADATA', id: 'tenant' } as const;
          await recordChange(trx, { auditContext, resource, before, after: decision.value });
        }
        return decision;
      }),
  };
}
