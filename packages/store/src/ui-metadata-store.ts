import { recordChange } from './append-audit-event.ts';
import type { Database } from './database.ts';
import type { UiMetadataStore } from './store.ts';
import { ensureTenant, readUiMetadata, writeUiMetadata } from './tenant.ts';

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
