import { type ImportPlan, importFootprint, ok } from '@access-admin/domain';
import { recordChange } from './append-audit-event.ts';
import type { Database } from './database.ts';
import { exportAccessModel } from './export-access-model.ts';
import { gatherImportBase } from './gather-import-base.ts';
import type { AccessModelStore } from './store.ts';
import { readPolicySetVersion } from './tenant.ts';
import { writeImportPlan } from './write-import-plan.ts';

export function createAccessModelStore(database: Database): AccessModelStore {
  return {
    import: async ({ auditContext, records }, decide) => {
      const { tenant, time: now } = auditContext;
      // From the records alone: no reason to hold the transaction meanwhile.
      const footprint = importFootprint(records);
      return database.writeAlone(auditContext, async (trx) => {
        const decision = decide(await gatherImportBase(trx, tenant, footprint));
        if (!decision.ok) return decision;
        const plan = decision.value;
        await writeImportPlan(trx, { tenant, plan, now });
        const resource = { type: 'ACCESS_MODEL', id: null } as const;
        if (isChange(plan))
          await recordChange(trx, { auditContext, resource, before: null, after: { counts: plan.counts } });
        return ok({ plan, policySetVersion: await readPolicySetVersion(trx, tenant) });
      });
    },
    export: (tenant) => exportAccessModel(database, tenant),
  };
}

const isChange = ({ upserts, deletes, uiMetadata }: ImportPlan): boolean =>
  uiMetadata !== null || [...Object.values(upserts), ...Object.values(deletes)].some(({ length }) => length > 0);
