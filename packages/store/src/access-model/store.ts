import {
  type AccessModelRecord,
  type AuditContext,
  type ImportBase,
  type ImportPlan,
  type ImportRecord,
  importFootprint,
  ok,
  type Result,
} from '@access-admin/domain';
import { recordChange } from '../audit/append-event.ts';
import type { Database } from '../engine/database.ts';
import { readPolicySetVersion } from '../rows/tenant.ts';
import { exportAccessModel } from './export.ts';
import { gatherImportBase } from './gather-import-base.ts';
import { writeImportPlan } from './write-import-plan.ts';

export interface AccessModelStore {
  /**
   * Reads, decides and commits in one transaction; a failure changes nothing. Other requests are served during a large
   * import.
   */
  import<F>(
    request: { readonly auditContext: AuditContext; readonly records: readonly ImportRecord[] },
    decide: (base: ImportBase) => Result<ImportPlan, F>,
  ): Promise<Result<{ readonly plan: ImportPlan; readonly policySetVersion: number }, F>>;
  /** All records of the tenant in an order in which they can be imported, from one consistent snapshot. */
  export(tenant: string): AsyncIterable<AccessModelRecord>;
}

export function createAccessModelStore(database: Database): AccessModelStore {
  return {
    import: async ({ auditContext, records }, decide) => {
      const { tenant, time: now } = auditContext;
      // The footprint needs the records only, so it is computed before the transaction.
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
