import {
  type AuditContext,
  type Conflict,
  type ExportRecord,
  type ImportBase,
  type ImportPlan,
  type ImportRecord,
  identitiesMoved,
  identitiesTied,
  importFootprint,
  ok,
  profilesTied,
  type Result,
  recordImport,
  type SignInGuard,
  signInEndsOf,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { AccountFault } from '../access/sources/write-accounts.ts';
import { type Failed, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { changeScope } from '../engine/scope.ts';
import { releaseOfDeleted } from '../governance/reservations/release.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import { readPolicySetVersion } from '../record/tenants/versions.ts';
import { keepTiesOfProfiles, recordTiesOfChange, recordTiesOfProfiles } from '../record/ties/record.ts';
import type { Tables } from '../schema/tables.ts';
import { endSignInsAndActs } from '../sign-in/end-acts.ts';
import { catchRefusal, guarded } from '../sign-in/guard.ts';
import { endBlockedSessions } from '../sign-in/sessions.ts';
import { appendImportEvents } from './events.ts';
import { exportAccessModel } from './export.ts';
import { gatherImportBase } from './gather-import-base.ts';
import { writeImportPlan } from './write-import-plan.ts';

/** An import before its decision. */
export interface ImportToDecide<G extends Failed = never> {
  readonly auditContext: AuditContext;
  readonly records: readonly ImportRecord[];
  /** Whether the caller knows the present policy-set version; every version if left out. */
  readonly precondition?: (policySetVersion: number, base: ImportBase) => Result<unknown, G>;
  /** How the audit log tells of it: as an import if left out. */
  readonly record?: typeof recordImport;
  /** Refuses imports after which no administrator can sign in; refuses none if left out. */
  readonly guard?: SignInGuard;
}

/** An import that has taken effect. */
export interface Imported {
  readonly plan: ImportPlan;
  readonly policySetVersion: number;
  /** The accounts that could make no identity, although their sources should have made one. */
  readonly accountFaults: readonly AccountFault[];
}

export interface AccessModelStore {
  /**
   * Reads, decides and commits in one transaction; a failure changes nothing. Other requests are served during a large
   * import.
   */
  import<F extends Failed, G extends Failed = never>(
    request: ImportToDecide<G>,
    decide: (base: ImportBase) => Result<ImportPlan, F> | Promise<Result<ImportPlan, F>>,
  ): Promise<Result<Imported, F | G | Conflict>>;
  /** All records of the tenant in an order in which they can be imported, from one consistent snapshot. */
  export(tenant: string): AsyncIterable<ExportRecord>;
}

export function createAccessModelStore(database: Database): AccessModelStore {
  return {
    import: ({ auditContext, records, guard, precondition = unconditional, record = recordImport }, decide) => {
      const { tenant } = auditContext;
      // The footprint needs the records only, so it is computed before the transaction.
      const footprint = importFootprint(records);
      const write = (trx: Transaction<Tables>) =>
        guarded(trx, { tenant, guard }, async () => {
          const base = await gatherImportBase(trx, auditContext, footprint);
          const known = precondition(await readPolicySetVersion(trx, tenant), base);
          const decision = underPrecondition(known, await decide(base));
          return decision.ok ? writeDecided(trx, { auditContext, base, plan: decision.value, record }) : decision;
        });
      return catchRefusal(() => database.writeAlone(changeScope(auditContext), write));
    },
    export: (tenant) => exportAccessModel(database, tenant),
  };
}

interface DecidedImport {
  readonly auditContext: AuditContext;
  readonly base: ImportBase;
  readonly plan: ImportPlan;
  readonly record: typeof recordImport;
}

async function writeDecided(trx: Transaction<Tables>, { auditContext, base, plan, record }: DecidedImport) {
  const { tenant } = auditContext;
  const { disowned, recordings } = await writeImportPlan(trx, { auditContext, plan, stored: base.stored });
  await recordChanges(trx, auditContext, record(plan, base));
  await recordChanges(trx, auditContext, disowned);
  await recordChanges(
    trx,
    auditContext,
    recordings.flatMap(({ changes }) => changes),
  );
  await recordTiesOfChange(trx, auditContext, identitiesTied(plan.upserts.identity, base.stored.identity));
  await keepTiesOfProfiles(trx, auditContext, identitiesMoved(plan.upserts.identity, base.stored.identity));
  await recordTiesOfProfiles(
    trx,
    auditContext,
    profilesTied(plan.upserts.identityProfile, base.stored.identityProfile),
  );
  if (plan.upserts.identity.length + plan.upserts.identityProfile.length > 0)
    await endBlockedSessions(trx, auditContext);
  const ends = { ...signInEndsOf(plan, base), deleted: plan.deletes.identity };
  const clientEvents = await endSignInsAndActs(trx, auditContext, ends);
  const policySetVersion = await readPolicySetVersion(trx, tenant);
  await appendImportEvents(trx, { auditContext, plan, base, disowned, policySetVersion });
  await appendEvents(trx, tenant, [...recordings.flatMap(({ events }) => events), ...clientEvents]);
  const { identity: identities, entitlement, accessProfile, role } = plan.deletes;
  const items = { ENTITLEMENT: entitlement, ACCESS_PROFILE: accessProfile, ROLE: role };
  await releaseOfDeleted(trx, auditContext, { identities, items });
  return ok({ plan, policySetVersion, accountFaults: recordings.flatMap(({ faults }) => faults) });
}
