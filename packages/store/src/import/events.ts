import {
  type AuditContext,
  areSameCapabilities,
  type EventType,
  type Identity,
  type ImportBase,
  type ImportPlan,
  type NewEvent,
  newEvent,
  policyChanges,
  type ResourceChange,
  type SodPolicy,
  showSodPolicy,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { identityProfileToRow, rowToAuthProfile } from '../access/records/identity-profile-codec.ts';
import { readNames } from '../policies/read-names.ts';
import { rowToSodPolicy } from '../policies/rulebook/policy-codec.ts';
import { appendEvents } from '../record/events/append-events.ts';
import type { Tables } from '../schema/tables.ts';

/** An import that was written. */
export interface Imported {
  readonly auditContext: AuditContext;
  readonly plan: ImportPlan;
  readonly base: ImportBase;
  /** What changed of the policies and controls whose owner was deleted. */
  readonly disowned: readonly ResourceChange[];
  readonly policySetVersion: number;
}

// The names of their items are read together.
const POLICIES_AT_ONCE = 100;

/**
 * Tells, in the transaction of an import, of itself and of each resource that it changed; nothing when it changed nothing. What
 * policies show is read before the first event is numbered, because others that tell something wait from then on.
 */
export async function appendImportEvents(trx: Transaction<Tables>, imported: Imported): Promise<void> {
  const { auditContext, plan } = imported;
  if (!changesAnything(plan)) return;
  const policies = await policyEvents(trx, imported);
  await appendEvents(trx, auditContext.tenant, eventsWithoutPolicies(imported));
  await appendEvents(trx, auditContext.tenant, policies);
}

async function policyEvents(trx: Transaction<Tables>, imported: Imported): Promise<readonly NewEvent[]> {
  const { tenant, time } = imported.auditContext;
  const events: NewEvent[] = [];
  const add = async (some: readonly PolicyEvent[]) => {
    const policies = some.map(({ policy }) => policy);
    const names = await readNames(trx, tenant, policies);
    for (const { type, policy } of some)
      events.push(newEvent(type, policy.id, { time, data: showSodPolicy(policy, names) }));
  };
  const changed = [...changedPolicies(imported)];
  for (let start = 0; start < changed.length; start += POLICIES_AT_ONCE)
    await add(changed.slice(start, start + POLICIES_AT_ONCE));
  const ownerless = imported.disowned.flatMap(({ resource: { type, id } }) => (type === 'SOD_POLICY' && id) || []);
  for (let start = 0; start < ownerless.length; start += POLICIES_AT_ONCE) {
    const policies = await readPolicies(trx, tenant, ownerless.slice(start, start + POLICIES_AT_ONCE));
    await add(policies.map((policy) => ({ type: 'sod.policy.updated', policy })));
  }
  return events;
}

async function readPolicies(
  trx: Transaction<Tables>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly SodPolicy[]> {
  const rows = await trx
    .selectFrom('sod_policy')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(rowToSodPolicy);
}

const changesAnything = ({ upserts, deletes, uiMetadata, branding, signIn }: ImportPlan): boolean =>
  uiMetadata !== null ||
  branding !== null ||
  [...Object.values(upserts), ...Object.values(deletes), Object.keys(signIn)].some(({ length }) => length > 0);

/** Lazy, because an import can change hundreds of thousands of identities. */
function* eventsWithoutPolicies(imported: Imported): Generator<NewEvent, void> {
  const { auditContext, plan, policySetVersion } = imported;
  const { tenant, time } = auditContext;
  yield newEvent('access-model.imported', null, { time, data: { counts: plan.counts, policySetVersion } });
  for (const profile of plan.upserts.identityProfile) {
    const data = rowToAuthProfile(identityProfileToRow(tenant, profile));
    yield newEvent('auth-profile.changed', profile.id, { time, data });
  }
  yield* capabilityEvents(imported);
  if (plan.uiMetadata !== null) yield newEvent('ui-metadata.changed', 'tenant', { time, data: plan.uiMetadata });
}

function* capabilityEvents({ auditContext: { time }, plan, base }: Imported): Generator<NewEvent, void> {
  const stored = base.stored.identity;
  const changes: Iterable<readonly [Identity | undefined, Identity | undefined]>[] = [
    plan.upserts.identity.map((after) => [stored.get(after.id), after] as const),
    plan.deletes.identity.map((id) => [stored.get(id), undefined] as const),
  ];
  for (const some of changes)
    for (const [had, has] of some) {
      const before = had?.capabilities ?? [];
      const after = has?.capabilities ?? [];
      const identity = has ?? had;
      if (identity === undefined || areSameCapabilities(before, after)) continue;
      const { id, displayName } = identity;
      yield newEvent('auth-user.capabilities-changed', id, { time, data: { id, displayName, before, after } });
    }
}

interface PolicyEvent {
  readonly type: EventType;
  readonly policy: SodPolicy;
}

function* changedPolicies({ plan, base }: Imported): Generator<PolicyEvent, void> {
  const stored = base.stored.sodPolicy;
  for (const policy of plan.upserts.sodPolicy) {
    const before = stored.get(policy.id) ?? null;
    if (before === null) yield { type: 'sod.policy.created', policy };
    else if (policyChanges(before, policy).length > 0) yield { type: 'sod.policy.updated', policy };
  }
  for (const id of plan.deletes.sodPolicy) {
    const policy = stored.get(id);
    if (policy !== undefined) yield { type: 'sod.policy.deleted', policy };
  }
}
