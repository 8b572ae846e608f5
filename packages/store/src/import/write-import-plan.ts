import type { ImportBase, ImportPlan, ResourceChange } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { accessProfileToRow, entitlementToRow, roleToRow } from '../access/records/catalogue-codec.ts';
import { identityToRow } from '../access/records/identity-codec.ts';
import { identityProfileToRow } from '../access/records/identity-profile-codec.ts';
import type { SearchTable } from '../access/search/entry.ts';
import { putEntries, removeEntries } from '../access/search/write-entries.ts';
import { writeBranding } from '../administration/branding.ts';
import { writeUiMetadata } from '../administration/ui-metadata.ts';
import { controlToRow } from '../governance/controls/codec.ts';
import { bumpRulebookVersion } from '../policies/rulebook/change-log.ts';
import { sodPolicyToRow } from '../policies/rulebook/policy-codec.ts';
import { deleteRows, upsertRows } from '../query/model-tables.ts';
import {
  addToIdentityCount,
  ensureTenant,
  logDeletedIdentities,
  nextIdentityRevision,
} from '../record/tenants/versions.ts';
import type { ModelTable, Tables } from '../schema/tables.ts';
import { writeSignInSettings } from '../sign-in/settings.ts';
import { removeOwners } from './remove-owners.ts';
import { rulebookChangeOf } from './rulebook-change.ts';

/** An import to write: what is decided, and on which data. */
interface DecidedImport {
  readonly tenant: string;
  readonly plan: ImportPlan;
  readonly stored: ImportBase['stored'];
  readonly now: string;
  /** The id of the caller that imports. */
  readonly author: string;
}

/** Writes an import plan. Returns what changed of the policies and controls whose owner it deleted. */
export async function writeImportPlan(
  trx: Transaction<Tables>,
  decided: DecidedImport,
): Promise<readonly ResourceChange[]> {
  const { tenant, plan, now, author } = decided;
  await ensureTenant(trx, tenant, now);
  // Identities refer to identity profiles, so profiles are written first and deleted last.
  await writeUpserts(trx, decided);
  await writeDeletes(trx, decided);
  const disowned = await removeOwners(trx, { tenant, now, author }, plan.deletes.identity);
  await addToIdentityCount(trx, tenant, plan.counts.identity.created - plan.counts.identity.deleted);
  if (plan.uiMetadata !== null) await writeUiMetadata(trx, tenant, plan.uiMetadata);
  if (plan.branding !== null) await writeBranding(trx, tenant, plan.branding);
  if (Object.keys(plan.signIn).length > 0) await writeSignInSettings(trx, tenant, plan.signIn);
  if (plan.rulebookChanged) await bumpRulebookVersion(trx, tenant, rulebookChangeOf(decided));
  return disowned;
}

// Their rows are in memory together.
const FINDABLE_AT_ONCE = 1_000;

async function writeUpserts(
  trx: Transaction<Tables>,
  { tenant, plan: { upserts }, now }: DecidedImport,
): Promise<void> {
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
  const writeFindable = async <T extends SearchTable, R>(
    table: T,
    records: readonly R[],
    encode: (tenant: string, record: R) => Tables[T],
  ) => {
    for (let start = 0; start < records.length; start += FINDABLE_AT_ONCE) {
      const rows = records.slice(start, start + FINDABLE_AT_ONCE).map((record) => encode(tenant, record));
      await upsertRows(trx, table, rows);
      await putEntries(trx, table, rows);
    }
  };
  await writeFindable('entitlement', upserts.entitlement, entitlementToRow);
  await writeFindable('access_profile', upserts.accessProfile, accessProfileToRow);
  await writeFindable('role', upserts.role, roleToRow);
  await write('sod_policy', upserts.sodPolicy, sodPolicyToRow);
  await write('control', upserts.control, controlToRow);
  await writeFindable('identity_profile', upserts.identityProfile, identityProfileToRow);
  if (upserts.identity.length > 0) {
    const revision = await nextIdentityRevision(trx, tenant);
    // The time counts for new ones alone.
    const born = { revision, createdMs: Date.parse(now) };
    await writeFindable('identity', upserts.identity, (_, identity) => identityToRow(tenant, identity, born));
  }
}

function* mapEach<A, B>(all: readonly A[], map: (each: A) => B): Generator<B, void> {
  for (const each of all) yield map(each);
}

async function writeDeletes(trx: Transaction<Tables>, { tenant, plan: { deletes } }: DecidedImport): Promise<void> {
  const remove = (table: ModelTable, ids: readonly string[]) => deleteRows(trx, { table, tenant }, ids);
  const removeFindable = async (table: SearchTable, ids: readonly string[]) => {
    await removeEntries(trx, { tenant, table }, ids);
    await remove(table, ids);
  };
  // No identity has this revision. It shows that identities were deleted.
  if (deletes.identity.length > 0)
    await logDeletedIdentities(trx, { tenant, revision: await nextIdentityRevision(trx, tenant) }, deletes.identity);
  await removeFindable('identity', deletes.identity);
  await removeFindable('identity_profile', deletes.identityProfile);
  await remove('sod_policy', deletes.sodPolicy);
  await remove('control', deletes.control);
  await removeFindable('role', deletes.role);
  await removeFindable('access_profile', deletes.accessProfile);
  await removeFindable('entitlement', deletes.entitlement);
}
