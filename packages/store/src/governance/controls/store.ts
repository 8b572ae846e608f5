import {
  type AppliedControl,
  type AuditContext,
  type Conflict,
  type Control,
  completeControl,
  controlChanges,
  type Failure,
  fail,
  failure,
  type IdentityNames,
  type NotFound,
  ok,
  ownersOf,
  type Result,
  showControl,
  validateControlDeletion,
  validateOwners,
} from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { readIdentityNames } from '../../access/records/identity-names.ts';
import { type Change, type Failed, unconditional, underPrecondition } from '../../engine/change.ts';
import { createOrderedRunner } from '../../engine/concurrency/ordered-runner.ts';
import type { Database } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import { type Condition, compileFilter, type FilterFields } from '../../query/filter.ts';
import { deleteRows, upsertRows } from '../../query/model-tables.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import { recordChanges } from '../../record/audit/append-event.ts';
import { ensureTenant } from '../../record/tenants/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { findAllowingPolicy } from './allowed.ts';
import { findAppliedControls } from './applied.ts';
import { applyControl, type ControlApplication, NO_VIOLATION, readPairOfViolation } from './apply.ts';
import { controlToRow, rowToControl } from './codec.ts';

/** A condition of a list. */
export type ControlCondition = Condition<
  'id' | 'name' | 'type' | 'description' | 'owner.id',
  'eq' | 'in' | 'sw' | 'co'
>;

/** The compensating controls of each tenant, with the present names of their owners. */
export interface ControlStore {
  /** The controls that meet all conditions, by id. */
  list(tenant: string, conditions: readonly ControlCondition[], page: Page): Promise<readonly Control[]>;
  count(tenant: string, conditions: readonly ControlCondition[]): Promise<number>;
  find(tenant: string, id: string): Promise<Control | null>;
  /** Stores a new control and creates its tenant if it is new. `Conflict` when the id is taken, `ReferenceNotFound` when an owner does not exist. */
  create(auditContext: AuditContext, control: Control): Promise<Result<Control, Failure>>;
  /** Reads, decides and stores in one transaction; a failure changes nothing. `ReferenceNotFound` when an owner does not exist. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: Change<Control, Control, F, G>,
  ): Promise<Result<Control, F | G | Failure>>;
  /** Applies a control to a violation, in one transaction; a failure changes nothing. */
  apply(auditContext: AuditContext, application: ControlApplication): Promise<Result<AppliedControl, Failure>>;
  /** Deletes the control if the precondition holds. `Conflict` while it is applied, or a policy allows it. */
  delete<F extends Failed>(
    auditContext: AuditContext,
    id: string,
    precondition: (shown: Control) => Result<unknown, F>,
  ): Promise<Result<null, F | NotFound | Conflict>>;
}

/** `isMailed` stores mails to approvers of the exceptions that applications request. */
export function createControlStore(database: Database, isMailed = false): ControlStore {
  // Access and its bundles may have megabytes, so a tenant reads those of one request at a time.
  const runInOrder = createOrderedRunner();
  return {
    list: (tenant, conditions, { limit, offset }) =>
      database.read(async (db) => {
        const rows = await matching(db, tenant, conditions)
          .selectAll()
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute();
        const controls = rows.map(rowToControl);
        const names = await namesOf(db, tenant, controls);
        return controls.map((control) => showControl(control, names));
      }),
    count: (tenant, conditions) => database.read((db) => countRows(matching(db, tenant, conditions))),
    find: (tenant, id) =>
      database.read(async (db) => {
        const control = await findControl(db, tenant, id);
        return control === null ? null : showOne(db, tenant, control);
      }),
    create: (auditContext, control) =>
      database.write(changeScope(auditContext), async (trx): Promise<Result<Control, Failure>> => {
        const { tenant, time } = auditContext;
        const checked = await checkOwners(trx, tenant, ok(control));
        if (!checked.ok) return checked;
        if ((await findControl(trx, tenant, control.id)) !== null) return fail(taken(control.id));
        await ensureTenant(trx, tenant, time);
        return ok(await storeControl(trx, auditContext, { before: null, ...checked.value }));
      }),
    change: (auditContext, id, { precondition = unconditional, decide }) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const before = await findControl(trx, tenant, id);
        if (before === null) return fail(NO_CONTROL);
        const shown = await showOne(trx, tenant, before);
        const decided = await checkOwners(trx, tenant, decide(shown));
        const decision = underPrecondition(precondition(shown), decided);
        return decision.ok ? ok(await storeControl(trx, auditContext, { before, ...decision.value })) : decision;
      }),
    apply: (auditContext, application) =>
      runInOrder(auditContext.tenant, async () => {
        const present = await readPairOfViolation(database, auditContext, application.violationId);
        if (present === null) return fail(NO_VIOLATION);
        return database.write(changeScope(auditContext), (trx) =>
          applyControl(trx, auditContext, { ...application, present, isMailed }),
        );
      }),
    delete: (auditContext, id, precondition) =>
      database.write(changeScope(auditContext), (trx) => deleteControl(trx, { auditContext, id }, precondition)),
  };
}

async function deleteControl<F>(
  trx: Transaction<Tables>,
  { auditContext, id }: { readonly auditContext: AuditContext; readonly id: string },
  precondition: (shown: Control) => Result<unknown, F>,
): Promise<Result<null, F | NotFound | Conflict>> {
  const { tenant, time } = auditContext;
  const before = await findControl(trx, tenant, id);
  if (before === null) return fail(NO_CONTROL);
  const applied = await findAppliedControls(trx, { tenant, now: time }, new Set([id]));
  const policyId = await findAllowingPolicy(trx, tenant, id);
  const refused = validateControlDeletion({ isApplied: applied.has(id), policyId });
  if (refused !== null) return fail(refused);
  const met = precondition(await showOne(trx, tenant, before));
  if (!met.ok) return met;
  await deleteRows(trx, { table: 'control', tenant }, [id]);
  await record(trx, auditContext, { before, after: null });
  return ok(null);
}

const NO_CONTROL: NotFound = failure('NotFound', '', 'There is no such control.');
const taken = (id: string): Conflict => failure('Conflict', 'id', `there is a control ${id} already`);

type ControlChange = { readonly before: Control | null; readonly after: Control | null };

/** Adds the names of the owners of a decided control, which must exist. */
async function checkOwners<F = never>(
  trx: Transaction<Tables>,
  tenant: string,
  decision: Result<Control, F>,
): Promise<Result<{ readonly after: Control; readonly names: IdentityNames }, F | Failure>> {
  if (!decision.ok) return decision;
  const names = await namesOf(trx, tenant, [decision.value]);
  const missing = validateOwners(decision.value, names);
  return missing === null ? ok({ after: decision.value, names }) : fail(missing);
}

async function storeControl(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after, names }: { readonly before: Control | null; readonly after: Control; readonly names: IdentityNames },
): Promise<Control> {
  const control = completeControl(after, before, auditContext.time);
  if (controlChanges(before, control).length > 0) {
    await upsertRows(trx, 'control', [controlToRow(auditContext.tenant, control)]);
    await record(trx, auditContext, { before, after: control });
  }
  return showControl(control, names);
}

const record = (
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after }: ControlChange,
): Promise<void> =>
  recordChanges(trx, auditContext, [
    { resource: { type: 'CONTROL', id: (before ?? after)?.id ?? '' }, changes: controlChanges(before, after) },
  ]);

/** A control of a tenant, with owners without names. */
export async function findControl(db: Kysely<Tables>, tenant: string, id: string): Promise<Control | null> {
  const row = await db
    .selectFrom('control')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : rowToControl(row);
}

const showOne = async (db: Kysely<Tables>, tenant: string, control: Control): Promise<Control> =>
  showControl(control, await namesOf(db, tenant, [control]));

const namesOf = (db: Kysely<Tables>, tenant: string, controls: readonly Control[]): Promise<IdentityNames> =>
  readIdentityNames(db, tenant, new Set(controls.flatMap(ownersOf)));

const matching = (db: Kysely<Tables>, tenant: string, conditions: readonly ControlCondition[]) =>
  db.selectFrom('control').where('tenant', '=', tenant).where(compileFilter(FIELDS, conditions));

const FIELDS: FilterFields<ControlCondition> = {
  id: 'id',
  name: 'name',
  // The only type.
  type: sql`'Mitigation'`,
  description: 'description',
  'owner.id': 'owner_id',
};
