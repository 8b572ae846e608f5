import {
  type AuditContext,
  allowedControlsOf,
  type Conflict,
  type Failure,
  fail,
  failure,
  type NewEvent,
  type NotFound,
  nameItems,
  newEvent,
  ok,
  type PolicyNames,
  policyChanges,
  type Result,
  type ShownSodPolicy,
  type SodPolicy,
  showSodPolicy,
  validateAddedReferences,
} from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Change, type Failed, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { changeScope } from '../engine/scope.ts';
import { attributeCondition } from '../query/attribute-condition.ts';
import { type Condition, compileFilter, type FilterFields } from '../query/filter.ts';
import { deleteRows, readColumns, upsertRows } from '../query/model-tables.ts';
import type { Page } from '../query/page.ts';
import { countRows } from '../query/total.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import { ensureTenant } from '../record/tenants/versions.ts';
import type { Tables } from '../schema/tables.ts';
import { readNames } from './read-names.ts';
import { bumpRulebookVersion } from './rulebook/change-log.ts';
import { rowToSodPolicy, sodPolicyToRow } from './rulebook/policy-codec.ts';

/** A condition of a list. */
export type PolicyCondition = Condition<
  | 'id'
  | 'name'
  | 'description'
  | 'type'
  | 'state'
  | 'level'
  | 'ownerId'
  | 'ownerRef.name'
  | 'externalId'
  | 'attributes.*',
  'eq' | 'in' | 'sw' | 'co'
> & {
  /** The name of the attribute that is compared. */
  readonly attribute?: string;
};

/** A sort key of a list, in code-point order. */
export interface PolicySorter {
  readonly field: 'id' | 'name' | 'description' | 'ownerRef.name' | 'created' | 'modified';
  readonly descends: boolean;
}

/** The policies of each tenant, as `showSodPolicy` shows them. */
export interface PolicyStore {
  /** The policies that meet all conditions, ordered by the sorters and then by id. */
  list(
    tenant: string,
    query: { readonly conditions: readonly PolicyCondition[]; readonly sorters: readonly PolicySorter[] },
    page: Page,
  ): Promise<readonly ShownSodPolicy[]>;
  count(tenant: string, conditions: readonly PolicyCondition[]): Promise<number>;
  find(tenant: string, id: string): Promise<ShownSodPolicy | null>;
  /** Stores a new policy and creates its tenant if it is new. `Conflict` when the id is taken, `ReferenceNotFound` when an item or the owner does not exist. */
  create(auditContext: AuditContext, policy: SodPolicy): Promise<Result<ShownSodPolicy, Failure>>;
  /** Reads, decides and stores in one transaction; a failure changes nothing. `ReferenceNotFound` when an added item or the owner does not exist. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: Pick<Change<ShownSodPolicy, unknown, F, G>, 'precondition'> &
      Pick<Change<SodPolicy, ShownSodPolicy, F, G>, 'decide'>,
  ): Promise<Result<ShownSodPolicy, F | G | Failure>>;
  /** Deletes the policy if the precondition is met. */
  delete<F extends Failed>(
    auditContext: AuditContext,
    id: string,
    precondition: (shown: ShownSodPolicy) => Result<unknown, F>,
  ): Promise<Result<null, F | NotFound>>;
}

export function createPolicyStore(database: Database): PolicyStore {
  return {
    list: (tenant, { conditions, sorters }, { limit, offset }) =>
      database.read(async (db) => {
        const rows = await matching(db, tenant, conditions)
          .selectAll()
          .orderBy(orderBy(sorters))
          .limit(limit)
          .offset(offset)
          .execute();
        return showAll(db, tenant, rows.map(rowToSodPolicy));
      }),
    count: (tenant, conditions) => database.read((db) => countRows(matching(db, tenant, conditions))),
    find: (tenant, id) =>
      database.read(async (db) => {
        const policy = await findPolicy(db, tenant, id);
        return policy === null ? null : showOne(db, tenant, policy);
      }),
    create: (auditContext, policy) =>
      database.write(changeScope(auditContext), async (trx): Promise<Result<ShownSodPolicy, Failure>> => {
        const checked = await checkReferences(trx, { tenant: auditContext.tenant, before: null }, ok(policy));
        if (!checked.ok) return checked;
        if ((await findPolicy(trx, auditContext.tenant, policy.id)) !== null) return fail(taken(policy.id));
        await ensureTenant(trx, auditContext.tenant, auditContext.time);
        return ok(await storePolicy(trx, auditContext, { before: null, ...checked.value }));
      }),
    change: (auditContext, id, { precondition = unconditional, decide }) =>
      database.write(changeScope(auditContext), async (trx) => {
        const before = await findPolicy(trx, auditContext.tenant, id);
        if (before === null) return fail(NO_POLICY);
        const shown = await showOne(trx, auditContext.tenant, before);
        const decided = await checkReferences(trx, { tenant: auditContext.tenant, before }, decide(shown));
        const decision = underPrecondition(precondition(shown), decided);
        return decision.ok ? ok(await storePolicy(trx, auditContext, { before, ...decision.value })) : decision;
      }),
    delete: (auditContext, id, precondition) =>
      database.write(changeScope(auditContext), async (trx) => {
        const before = await findPolicy(trx, auditContext.tenant, id);
        if (before === null) return fail(NO_POLICY);
        const shown = await showOne(trx, auditContext.tenant, before);
        const met = precondition(shown);
        if (!met.ok) return met;
        await deleteRows(trx, { table: 'sod_policy', tenant: auditContext.tenant }, [id]);
        await recordPolicyChange(trx, auditContext, { before, after: null, shown });
        return ok(null);
      }),
  };
}

const NO_POLICY: NotFound = failure('NotFound', '', 'There is no such SOD policy.');
const taken = (id: string): Conflict => failure('Conflict', 'id', `there is an SOD policy ${id} already`);

interface PolicyChange {
  readonly before: SodPolicy | null;
  readonly after: SodPolicy | null;
  /** The state after the change, or the last state, as answers show it. */
  readonly shown: ShownSodPolicy;
}

/** Adds the names of referenced records. The owner and controls must exist, and so must items that are new to the policy. */
async function checkReferences<F = never>(
  trx: Transaction<Tables>,
  { tenant, before }: { readonly tenant: string; readonly before: SodPolicy | null },
  decision: Result<SodPolicy, F>,
): Promise<Result<{ readonly after: SodPolicy; readonly names: PolicyNames }, F | Failure>> {
  if (!decision.ok) return decision;
  const names = await readNames(trx, tenant, [decision.value]);
  const controls = await findControls(trx, tenant, decision.value);
  const missing = validateAddedReferences(before, decision.value, { ...names, controls });
  return missing === null ? ok({ after: decision.value, names }) : fail(missing);
}

/** Finds the existing controls among those that a policy allows. */
async function findControls(trx: Transaction<Tables>, tenant: string, policy: SodPolicy): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const allowed = new Set(allowedControlsOf(policy).map(({ id }) => id));
  for await (const rows of readColumns(trx, { table: 'control', tenant, by: 'id', columns: ['id'] }, allowed))
    for (const { id } of rows) found.add(id);
  return found;
}

async function storePolicy(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  {
    before,
    after,
    names,
  }: { readonly before: SodPolicy | null; readonly after: SodPolicy; readonly names: PolicyNames },
): Promise<ShownSodPolicy> {
  const kept = nameItems(after, { names: names.entitlements, before });
  const shown = showSodPolicy(kept, names);
  if (before !== null && policyChanges(before, kept).length === 0) return showSodPolicy(before, names);
  await upsertRows(trx, 'sod_policy', [sodPolicyToRow(auditContext.tenant, kept)]);
  await recordPolicyChange(trx, auditContext, { before, after: kept, shown });
  return shown;
}

/** Raises the version of the rulebook, and records and tells the change. */
async function recordPolicyChange(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after, shown }: PolicyChange,
): Promise<void> {
  const { id } = shown;
  await bumpRulebookVersion(trx, auditContext.tenant, { policies: [id], access: null });
  await recordChanges(trx, auditContext, [
    { resource: { type: 'SOD_POLICY', id }, changes: policyChanges(before, after) },
  ]);
  await appendEvents(trx, auditContext.tenant, [policyEvent({ before, after, shown }, auditContext.time)]);
}

function policyEvent({ before, after, shown }: PolicyChange, time: string): NewEvent {
  const type = before === null ? 'sod.policy.created' : after === null ? 'sod.policy.deleted' : 'sod.policy.updated';
  return newEvent(type, shown.id, { time, data: shown });
}

async function findPolicy(db: Kysely<Tables>, tenant: string, id: string): Promise<SodPolicy | null> {
  const row = await db
    .selectFrom('sod_policy')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : rowToSodPolicy(row);
}

const showOne = async (db: Kysely<Tables>, tenant: string, policy: SodPolicy): Promise<ShownSodPolicy> =>
  showSodPolicy(policy, await readNames(db, tenant, [policy]));

async function showAll(db: Kysely<Tables>, tenant: string, policies: readonly SodPolicy[]): Promise<ShownSodPolicy[]> {
  const names = await readNames(db, tenant, policies);
  return policies.map((policy) => showSodPolicy(policy, names));
}

/** The display name of the owner of a policy, as answers show it. */
const OWNER_NAME = sql`(select display_name from identity
  where identity.tenant = sod_policy.tenant and identity.id = sod_policy.owner_id)`;

const FIELDS: FilterFields<PolicyCondition> = {
  id: 'id',
  name: 'name',
  state: 'state',
  level: 'level',
  ownerId: 'owner_id',
  description: 'description',
  type: 'type',
  'ownerRef.name': OWNER_NAME,
  externalId: 'external_id',
  'attributes.*': ({ attribute = '', values }) => attributeCondition('sod_policy', attribute, values),
};

/** Texts that are not there come first, on both engines. */
const SORTED = {
  id: sql`id`,
  name: sql`name`,
  description: sql`coalesce(description, '')`,
  'ownerRef.name': sql`coalesce(${OWNER_NAME}, '')`,
  created: sql`created`,
  modified: sql`modified`,
} as const satisfies Record<PolicySorter['field'], RawBuilder<unknown>>;

const orderBy = (sorters: readonly PolicySorter[]): RawBuilder<unknown> =>
  sql.join([
    ...sorters.map(({ field, descends }) => sql`${SORTED[field]} ${sql.raw(descends ? 'desc' : 'asc')}`),
    sql`id`,
  ]);

const matching = (db: Kysely<Tables>, tenant: string, conditions: readonly PolicyCondition[]) =>
  db.selectFrom('sod_policy').where('tenant', '=', tenant).where(compileFilter(FIELDS, conditions));
