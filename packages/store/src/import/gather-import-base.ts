import type { AuditContext, IdsByKind, ImportBase, ImportFootprint, StoredRecords } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { rowToAccessProfile, rowToEntitlement, rowToRole } from '../access/records/catalogue-codec.ts';
import { rowToIdentity } from '../access/records/identity-codec.ts';
import { rowToIdentityProfile } from '../access/records/identity-profile-codec.ts';
import { readAccountsOfImport } from '../access/sources/accounts-of-import.ts';
import { rowToSource } from '../access/sources/codec.ts';
import { readSources } from '../access/sources/read.ts';
import { readBranding } from '../administration/branding.ts';
import { hasOtherOrgAdmins } from '../administration/org-admins.ts';
import { readUiMetadata } from '../administration/ui-metadata.ts';
import { createPauses } from '../engine/concurrency/pauses.ts';
import { findAppliedControls } from '../governance/controls/applied.ts';
import { rowToControl } from '../governance/controls/codec.ts';
import { rowToSodPolicy } from '../policies/rulebook/policy-codec.ts';
import { readColumns, readMatches } from '../query/model-tables.ts';
import type { ModelTable, Tables } from '../schema/tables.ts';
import { readProfileMembers } from '../sign-in/profile-members.ts';
import { readSignInSettings } from '../sign-in/settings.ts';
import { findReferences } from './find-references.ts';

/** Reads the data that an import with this footprint is decided on. */
export async function gatherImportBase(
  trx: Transaction<Tables>,
  { tenant, time: now, actor: { identityId } }: AuditContext,
  footprint: ImportFootprint,
): Promise<ImportBase> {
  return {
    stored: await readStored(trx, tenant, footprint.touched),
    uiMetadata: await readUiMetadata(trx, tenant),
    branding: await readBranding(trx, tenant),
    signIn: await readSignInSettings(trx, tenant),
    existing: await findExisting(trx, tenant, footprint.referenced),
    inUse: await findReferences(trx, tenant, footprint),
    sourceCount: (await readSources(trx, tenant)).size,
    otherOrgAdmins: await hasOtherOrgAdmins(trx, tenant, footprint.touched.identity),
    appliedControls: await findAppliedControls(trx, { tenant, now }, footprint.deleted.control),
    uidHolders: await readUidHolders(trx, tenant, footprint),
    profileMembers: await readProfileMembers(trx, { tenant, identityId }, [...footprint.touched.identityProfile]),
  };
}

async function readStored(trx: Transaction<Tables>, tenant: string, touched: IdsByKind): Promise<StoredRecords> {
  const pause = createPauses();
  const byId = async <T extends ModelTable, R extends { readonly id: string }>(
    table: T,
    ids: ReadonlySet<string>,
    decode: (row: Tables[T]) => R,
  ) => {
    const records = new Map<string, R>();
    for await (const rows of readMatches(trx, { table, tenant }, ids)) {
      for (const row of rows) records.set(row.id, decode(row));
      await pause();
    }
    return records;
  };
  return {
    entitlement: await byId('entitlement', touched.entitlement, rowToEntitlement),
    accessProfile: await byId('access_profile', touched.accessProfile, rowToAccessProfile),
    role: await byId('role', touched.role, rowToRole),
    identityProfile: await byId('identity_profile', touched.identityProfile, rowToIdentityProfile),
    source: await byId('source', touched.source, rowToSource),
    identity: await byId('identity', touched.identity, rowToIdentity),
    account: await readAccountsOfImport(trx, tenant, touched.account),
    sodPolicy: await byId('sod_policy', touched.sodPolicy, rowToSodPolicy),
    control: await byId('control', touched.control, rowToControl),
  };
}

async function findExisting(
  trx: Transaction<Tables>,
  tenant: string,
  referenced: IdsByKind,
): Promise<ImportBase['existing']> {
  const pause = createPauses();
  const among = async (table: ModelTable, ids: ReadonlySet<string>) => {
    const existing = new Set<string>();
    for await (const rows of readColumns(trx, { table, tenant, by: 'id', columns: ['id'] }, ids)) {
      for (const { id } of rows) existing.add(id);
      await pause();
    }
    return existing;
  };
  return {
    entitlement: await among('entitlement', referenced.entitlement),
    accessProfile: await among('access_profile', referenced.accessProfile),
    role: await among('role', referenced.role),
    identityProfile: await among('identity_profile', referenced.identityProfile),
    source: await among('source', referenced.source),
    identity: await among('identity', referenced.identity),
    // Nothing refers to accounts.
    account: new Set(),
    sodPolicy: await among('sod_policy', referenced.sodPolicy),
    control: await among('control', referenced.control),
  };
}

async function readUidHolders(
  trx: Transaction<Tables>,
  tenant: string,
  { uids, touched }: ImportFootprint,
): Promise<ReadonlyMap<string, string>> {
  const holders = new Map<string, string>();
  const pause = createPauses();
  const columns = ['id', 'uid_folded'] as const;
  for await (const rows of readColumns(trx, { table: 'identity', tenant, by: 'uid_folded', columns }, uids)) {
    for (const { id, uid_folded } of rows) if (!touched.identity.has(id)) holders.set(uid_folded, id);
    await pause();
  }
  return holders;
}
