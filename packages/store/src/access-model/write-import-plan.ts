import type { ImportPlan, ResourceChange } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { accessProfileToRow, entitlementToRow, roleToRow } from '../rows/catalogue-codec.ts';
import { controlToRow } from '../rows/control-codec.ts';
import { identityToRow } from '../rows/identity-codec.ts';
import { identityProfileToRow } from '../rows/identity-profile-codec.ts';
import { deleteRows, upsertRows } from '../rows/model-tables.ts';
import { removeOwners } from '../rows/owners.ts';
import { sodPolicyToRow } from '../rows/sod-policy-codec.ts';
import {
  addToIdentityCount,
  ensureTenant,
  logDeletedIdentities,
  nextIdentityRevision,
  writeUiMetadata,
} from '../rows/tenant.ts';
import { bumpRulebookVersion } from '../rulebook/change-log.ts';
import type { ModelTable, Tables } from '../schema/tables.ts';

/** Writes an import plan. Returns what changed of the policies and controls whose owner it deleted. */
export async function writeImportPlan(
  trx: Transaction<Tables>,
  { tenant, plan, now }: { readonly tenant: string; readonly plan: ImportPlan; readonly now: string },
): Promise<readonly ResourceChange[]> {
  await ensureTenant(trx, tenant, now);
  // Identities refer to identity profiles, so profiles are written first and deleted last.
  await writeUpserts(trx, tenant, plan.upserts);
  await writeDeletes(trx, tenant, plan.deletes);
  const disowned = await removeOwners(trx, { tenant, now }, plan.deletes.identity);
  await addToIdentityCount(trx, tenant, plan.counts.identity.created - plan.counts.identity.deleted);
  if (plan.uiMetadata !== null) await writeUiMetadata(trx, tenant, plan.uiMetadata);
  if (plan.rulebookChanged) await bumpRulebookVersion(trx, tenant, changedPolicies(plan));
  return disowned;
}

function changedPolicies({ upserts, deletes }: ImportPlan): readonly string[] | null {
  const kinds = ['entitlement', 'accessProfile', 'role'] as const;
  const isMore = kinds.some((kind) => upserts[kind].length + deletes[kind].length > 0);
  return isMore ? null : [...upserts.sodPolicy.map(({ id }) => id), ...deletes.sodPolicy];
}

async function writeUpserts(trx: Transaction<Tables>, tenant: string, upserts: ImportPlan['upserts']): Promise<void> {
  const write = <T extends ModelTable, R>(
    table: T,
    records: readonly R[],
    encode: (tenant: string, record: R) => Tables[T],
  ) =>
    upsertRows(
      trx,
      table,
      mapEach(records, (record) => encode(tenant, record)),
    );
  await write('entitlement', upserts.entitlement, entitlementToRow);
  await write('access_profile', upserts.accessProfile, accessProfileToRow);
  await write('role', upserts.role, roleToRow);
  await write('sod_policy', upserts.sodPolicy, sodPolicyToRow);
  await write('control', upserts.control, controlToRow);
  await write('identity_profile', upserts.identityProfile, identityProfileToRow);
  if (upserts.identity.length > 0) {
    const revision = await nextIdentityRevision(trx, tenant);
    await write('identity', upserts.identity, (_, identity) => identityToRow(tenant, identity, revision));
  }
}

function* mapEach<A, B>(all: readonly A[], map: (each: A) => B): Generator<B, void> {
  for (const each of all) yield map(each);
}

async function writeDeletes(trx: Transaction<Tables>, tenant: string, deletes: ImportPlan['deletes']): Promise<void> {
  const remove = (table: ModelTable, ids: readonly string[]) => deleteRows(trx, { table, tenant }, ids);
  // No identity has this revision. It shows that identities were deleted.
  if (deletes.identity.length > 0)
    await logDeletedIdentities(trx, { tenant, revision: await nextIdentityRevision(trx, tenant) }, deletes.identity);
  await remove('identity', deletes.identity);
  await remove('identity_profile', deletes.identityProfile);
  await remove('sod_policy', deletes.sodPolicy);
  await remove('control', deletes.control);
  await remove('role', deletes.role);
  await remove('access_profile', deletes.accessProfile);
  await remove('entitlement', deletes.entitlement);
}
