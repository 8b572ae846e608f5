import { importFootprint, ok } from '@access-admin/domain';
import type { Database } from './database.ts';
import { exportAccessModel } from './export-access-model.ts';
import { gatherImportBase } from './gather-import-base.ts';
import type { AccessModelStore } from './store.ts';
import { readPolicySetVersion } from './tenant.ts';
import { writeImportPlan } from './write-import-plan.ts';

export function createAccessModelStore(database: Database): AccessModelStore {
  return {
    import: async ({ tenant, records, now }, decide) => {
      // From the records alone: no reason to hold the transaction meanwhile.
      const footprint = importFootprint(records);
      return database.writeAlone({ tenant }, async (trx) => {
        const decision = decide(await gatherImportBase(trx, tenant, footprint));
        if (!decision.ok) return decision;
        const plan = decision.value;
        await writeImportPlan(trx, { tenant, plan, now });
        return ok({ plan, policySetVersion: await readPolicySetVersion(trx, tenant) });
      });
    },
    export: (tenant) => exportAccessModel(database, tenant),
  };
}
