import type { Database } from './database.ts';
import type { UiMetadataStore } from './store.ts';
import { ensureTenant, readUiMetadata, writeUiMetadata } from './tenant.ts';

export function createUiMetadataStore(database: Database): UiMetadataStore {
  return {
    read: (tenant) => database.read((db) => readUiMetadata(db, tenant)),
    change: (tenant, decide) =>
      database.write({ tenant }, async (trx) => {
        const decision = decide(await readUiMetadata(trx, tenant));
        if (decision.ok) {
          await ensureTenant(trx, tenant, null);
          await writeUiMetadata(trx, tenant, decision.value);
        }
        return decision;
      }),
  };
}
