import {
  assignedOwnerId,
  type Control,
  controlChanges,
  type ResourceChange,
  type ViolationOwnerAssignment,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { controlToRow, rowToControl } from '../governance/controls/codec.ts';
import type { Tables } from '../schema/tables.ts';

// Keeps statements well below the limit of parameters.
const IDS_AT_ONCE = 500;

/** The tenant, the time and the author of a deletion. */
interface Deletion {
  readonly tenant: string;
  readonly now: string;
  readonly author: string;
}

/**
 * Takes deleted identities from the policies and controls that they own, in the transaction of the deletion. Returns what
 * changed, for the audit log: first of policies, then of controls.
 */
export async function removeOwners(
  trx: Transaction<Tables>,
  deletion: Deletion,
  ids: readonly string[],
): Promise<readonly ResourceChange[]> {
  if (ids.length === 0) return [];
  const ofPolicies: ResourceChange[] = [];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE)
    ofPolicies.push(...(await removePolicyOwners(trx, deletion, ids.slice(start, start + IDS_AT_ONCE))));
  const deleted = new Set(ids);
  ofPolicies.push(...(await removeAssignedOwners(trx, deletion, deleted)));
  return [...joined(ofPolicies), ...(await removeControlOwners(trx, deletion, deleted))];
}

/** The changes of each policy as one. */
const joined = (changes: readonly ResourceChange[]): readonly ResourceChange[] =>
  [...Map.groupBy(changes, ({ resource }) => resource.id).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : { ...first, changes: [first, ...more].flatMap((each) => each.changes) },
  );

async function removePolicyOwners(
  trx: Transaction<Tables>,
  { tenant, now, author }: Deletion,
  ids: readonly string[],
): Promise<readonly ResourceChange[]> {
  const owned = trx.selectFrom('sod_policy').select(['id', 'owner_id']).where('tenant', '=', tenant);
  const rows = await owned.where('owner_id', 'in', ids).orderBy('id').execute();
  if (rows.length === 0) return [];
  await trx
    .updateTable('sod_policy')
    .set({ owner_id: null, modified: now, modifier_id: author })
    .where('tenant', '=', tenant)
    .where('owner_id', 'in', ids)
    .execute();
  return rows.map(({ id, owner_id }) => ({
    resource: { type: 'SOD_POLICY', id },
    changes: [{ field: 'ownerRef', before: { type: 'IDENTITY', id: owner_id, name: null }, after: null }],
  }));
}

/** Takes deleted identities from what gives the violations of policies their owners. */
async function removeAssignedOwners(
  trx: Transaction<Tables>,
  { tenant, now, author }: Deletion,
  deleted: ReadonlySet<string>,
): Promise<readonly ResourceChange[]> {
  const rows = await trx
    .selectFrom('sod_policy')
    .select(['id', 'owner_assignment'])
    .where('tenant', '=', tenant)
    .where('owner_assignment', 'like', '%"IDENTITY"%')
    .orderBy('id')
    .execute();
  const all: ResourceChange[] = [];
  for (const { id, owner_assignment } of rows) {
    const before: ViolationOwnerAssignment = JSON.parse(owner_assignment ?? 'null');
    const ownerId = assignedOwnerId(before);
    if (ownerId === null || !deleted.has(ownerId)) continue;
    const after = { ...before, ownerRef: null };
    await trx
      .updateTable('sod_policy')
      .set({ owner_assignment: JSON.stringify(after), modified: now, modifier_id: author })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .execute();
    all.push({
      resource: { type: 'SOD_POLICY', id },
      changes: [{ field: 'violationOwnerAssignmentConfig', before, after }],
    });
  }
  return all;
}

/** Controls are read one by one, because no index has their secondary owners. */
async function removeControlOwners(
  trx: Transaction<Tables>,
  { tenant, now }: Deletion,
  deleted: ReadonlySet<string>,
): Promise<readonly ResourceChange[]> {
  const all: ResourceChange[] = [];
  for (let after = ''; ; ) {
    const rows = await trx
      .selectFrom('control')
      .selectAll()
      .where('tenant', '=', tenant)
      .where((eb) => eb.or([eb('owner_id', 'is not', null), eb('secondary_owner_ids', '<>', '[]')]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDS_AT_ONCE)
      .execute();
    for (const before of rows.map(rowToControl)) {
      const control = withoutOwners(before, deleted);
      const changes = controlChanges(before, control);
      if (changes.length === 0) continue;
      const { owner_id, secondary_owner_ids } = controlToRow(tenant, control);
      await trx
        .updateTable('control')
        .set({ owner_id, secondary_owner_ids, modified: now })
        .where('tenant', '=', tenant)
        .where('id', '=', control.id)
        .execute();
      all.push({ resource: { type: 'CONTROL', id: control.id }, changes });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < IDS_AT_ONCE) return all;
    after = last.id;
  }
}

/** An export that names an identity that does not exist could not be imported. */
const withoutOwners = (control: Control, deleted: ReadonlySet<string>): Control => ({
  ...control,
  owner: control.owner !== null && deleted.has(control.owner.id) ? null : control.owner,
  secondaryOwners: control.secondaryOwners.filter(({ id }) => !deleted.has(id)),
});
