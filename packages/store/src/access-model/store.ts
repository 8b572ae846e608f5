import {
  type AccessModelRecord,
  type AuditContext,
  type ImportBase,
  type ImportPlan,
  type ImportRecord,
  importFootprint,
  ok,
  type Result,
  recordImport,
} from '@access-admin/domain';
import { recordChanges } from '../audit/append-event.ts';
import type { Database } from '../engine/database.ts';
import { createImportVoiding, OUTDATED } from '../exceptions/import-voiding.ts';
import { readPolicySetVersion } from '../rows/tenant.ts';
import { createSearchKeeper } from '../search/keep.ts';
import { endBlockedSessions } from '../sign-in/sessions.ts';
import { exportAccessModel } from './export.ts';
import { gatherImportBase } from './gather-import-base.ts';
import { appendImportEvents } from './import-events.ts';
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
  const withVoiding = createImportVoiding(database);
  return {
    import: async ({ auditContext, records }, decide) => {
      const { tenant, time: now } = auditContext;
      // The footprint needs the records only, so it is computed before the transaction.
      const footprint = importFootprint(records);
      return withVoiding({ auditContext, records }, (held, voiding) =>
        held.writeAlone(auditContext, async (trx) => {
          if (!(await voiding.settle(trx))) return OUTDATED;
          const base = await gatherImportBase(trx, tenant, { footprint, now });
          const decision = decide(base);
          if (!decision.ok) return decision;
          const plan = decision.value;
          const search = createSearchKeeper(trx, database.search, tenant);
          const disowned = await writeImportPlan(trx, { tenant, plan, now, search, stored: base.stored });
          await recordChanges(trx, auditContext, recordImport(plan, base));
          await recordChanges(trx, auditContext, disowned);
          if (plan.upserts.identity.length + plan.upserts.identityProfile.length > 0)
            await endBlockedSessions(trx, auditContext);
          const voidedIds = await voiding.voidBy(trx, plan);
          const policySetVersion = await readPolicySetVersion(trx, tenant);
          await appendImportEvents(trx, { auditContext, plan, base, voidedIds, disowned, policySetVersion });
          return ok({ plan, policySetVersion });
        }),
      );
    },
    export: (tenant) => exportAccessModel(database, tenant),
  };
}
