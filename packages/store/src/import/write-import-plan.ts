import {
  type AuditContext,
  authorOf,
  type ImportBase,
  type ImportPlan,
  type ResourceChange,
  type Source,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { accessProfileToRow, entitlementToRow, roleToRow } from '../access/records/catalogue-codec.ts';
import { identityToRow } from '../access/records/identity-codec.ts';
import { identityProfileToRow } from '../access/records/identity-profile-codec.ts';
import type { SearchTable } from '../access/search/entry.ts';
import { putEntries, removeEntries } from '../access/search/write-entries.ts';
import { accountKeyOfRef, sourceOfRef, toAccountRecord } from '../access/sources/accounts-of-import.ts';
import { ACCOUNTS_AT_ONCE, applyAccounts, type Recording, recordingOf } from '../access/sources/apply-accounts.ts';
import { writeSource } from '../access/sources/change-source.ts';
import { deleteAccounts } from '../access/sources/delete-accounts.ts';
import { type FollowedIdentity, followIdentities } from '../access/sources/follow-identities.ts';
import { keepJoined, mergeChanges } from '../access/sources/keep-identities.ts';
import { readGrants, readSources } from '../access/sources/read.ts';
import { writeIdentities } from '../access/sources/write-identities.ts';
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
  readonly auditContext: AuditContext;
  readonly plan: ImportPlan;
  readonly stored: ImportBase['stored'];
}

/** What an import has changed besides its records. */
interface WrittenImport {
  /** What changed of the policies and controls whose owner it deleted. */
  readonly disowned: readonly ResourceChange[];
  /** What changed of accounts, and of other identities. */
  readonly recordings: readonly Recording[];
}

export async function writeImportPlan(trx: Transaction<Tables>, decided: DecidedImport): Promise<WrittenImport> {
  const { auditContext, plan } = decided;
  const { tenant, time: now } = auditContext;
  await ensureTenant(trx, tenant, now);
  const recordings: Recording[] = [];
  // Identities refer to identity profiles, so profiles are written first and deleted last.
  await writeUpserts(trx, decided);
  // What accounts of a source make, keep and find depends on the identities, so these are written, and deleted, first.
  recordings.push(await writeIdentityUpserts(trx, decided));
  await deleteIdentities(trx, decided);
  for await (const recording of writeSources(trx, decided, plan.upserts.source)) recordings.push(recording);
  for await (const recording of writeAccountsOf(trx, decided)) recordings.push(recording);
  for await (const recording of writeSources(trx, decided, plan.deletes.source)) recordings.push(recording);
  await writeDeletes(trx, decided);
  const deletion = { tenant, now, author: authorOf(auditContext.actor) };
  const disowned = await removeOwners(trx, deletion, plan.deletes.identity);
  await addToIdentityCount(trx, tenant, plan.counts.identity.created - plan.counts.identity.deleted);
  if (plan.uiMetadata !== null) await writeUiMetadata(trx, tenant, plan.uiMetadata);
  if (plan.branding !== null) await writeBranding(trx, tenant, plan.branding);
  if (Object.keys(plan.signIn).length > 0) await writeSignInSettings(trx, tenant, plan.signIn);
  if (plan.rulebookChanged) await bumpRulebookVersion(trx, tenant, rulebookChangeOf(decided));
  return { disowned, recordings };
}

/** Stores or deletes sources. The import itself records that. */
async function* writeSources(
  trx: Transaction<Tables>,
  { auditContext, stored }: DecidedImport,
  sources: readonly (Source | string)[],
): AsyncGenerator<Recording, void> {
  for (const source of sources) {
    const after = typeof source === 'string' ? null : source;
    const before = stored.source.get(after?.id ?? String(source)) ?? null;
    yield* writeSource(trx, { auditContext, before, after });
  }
}

// Their rows are in memory together.
const FINDABLE_AT_ONCE = 1_000;

/** Writes identities with what they hold, once their accounts and those of deleted ones are linked. */
async function writeIdentityUpserts(trx: Transaction<Tables>, decided: DecidedImport): Promise<Recording> {
  const { auditContext, plan } = decided;
  const { tenant, time } = auditContext;
  const { identity: identities } = plan.upserts;
  const write = { tenant, time, sources: await readSources(trx, tenant) };
  const { accounts, touched } = await followIdentities(trx, write, followedBy(decided));
  const revision = identities.length === 0 ? 0 : await nextIdentityRevision(trx, tenant);
  // The time counts for new ones alone.
  const born = { revision, createdMs: Date.parse(time) };
  for (let start = 0; start < identities.length; start += FINDABLE_AT_ONCE) {
    const some = identities.slice(start, start + FINDABLE_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const grantsOf = await readGrants(trx, write, ids);
    const rows = some.map((identity) => identityToRow(tenant, identity, { ...born, granted: grantsOf(identity.id) }));
    await upsertRows(trx, 'identity', rows);
    await putEntries(trx, 'identity', rows);
  }
  const written = new Set([...identities.map(({ id }) => id), ...plan.deletes.identity]);
  const others = new Set([...touched].filter((id) => !written.has(id)));
  const changed = await writeIdentities(trx, write, { edits: new Map(), touched: others });
  const joined = await keepJoined(trx, write, accounts);
  return recordingOf(auditContext, {
    changedAccounts: mergeChanges([...accounts, ...joined.accounts], ({ after }) => after.key),
    changedIdentities: mergeChanges([...changed, ...joined.identities], ({ id }) => id),
    madeProfile: null,
    faults: [],
  });
}

/** Stores and deletes accounts, source by source. Those of a source that is deleted with them are deleted with it. */
async function* writeAccountsOf(
  trx: Transaction<Tables>,
  { auditContext, plan: { upserts, deletes }, stored }: DecidedImport,
): AsyncGenerator<Recording, void> {
  if (upserts.account.length + deletes.account.length === 0) return;
  const sources = await readSources(trx, auditContext.tenant);
  for (const [id, accounts] of Map.groupBy(upserts.account, ({ source }) => source)) {
    const source = sources.get(id);
    for (let start = 0; source !== undefined && start < accounts.length; start += ACCOUNTS_AT_ONCE) {
      const some = accounts.slice(start, start + ACCOUNTS_AT_ONCE);
      const records = some.map((account) => toAccountRecord(account, stored.account.get(account.id)));
      yield applyAccounts(trx, { auditContext, source, sources, records });
    }
  }
  for (const [id, refs] of Map.groupBy(deletes.account, sourceOfRef)) {
    const source = sources.get(id);
    for (let start = 0; source !== undefined && start < refs.length; start += ACCOUNTS_AT_ONCE) {
      const keys = refs.slice(start, start + ACCOUNTS_AT_ONCE).map(accountKeyOfRef);
      yield deleteAccounts(trx, { auditContext, source, sources }, keys);
    }
  }
}

/** The identities that an import changes. */
function* followedBy({ plan: { upserts, deletes }, stored }: DecidedImport): Generator<FollowedIdentity, void> {
  const before = (id: string) => stored.identity.get(id) ?? null;
  for (const id of deletes.identity) yield { id, before: before(id), after: null };
  for (const after of upserts.identity) yield { id: after.id, before: before(after.id), after };
}

async function writeUpserts(
  trx: Transaction<Tables>,
  { auditContext: { tenant }, plan: { upserts } }: DecidedImport,
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
}

function* mapEach<A, B>(all: readonly A[], map: (each: A) => B): Generator<B, void> {
  for (const each of all) yield map(each);
}

async function deleteIdentities(
  trx: Transaction<Tables>,
  { auditContext: { tenant }, plan: { deletes } }: DecidedImport,
): Promise<void> {
  if (deletes.identity.length === 0) return;
  // No identity has this revision. It shows that identities were deleted.
  await logDeletedIdentities(trx, { tenant, revision: await nextIdentityRevision(trx, tenant) }, deletes.identity);
  await deleteFindable(trx, { tenant, table: 'identity' }, deletes.identity);
}

async function deleteFindable(
  trx: Transaction<Tables>,
  from: { readonly tenant: string; readonly table: SearchTable },
  ids: readonly string[],
): Promise<void> {
  await removeEntries(trx, from, ids);
  await deleteRows(trx, from, ids);
}

async function writeDeletes(
  trx: Transaction<Tables>,
  { auditContext: { tenant }, plan: { deletes } }: DecidedImport,
): Promise<void> {
  await deleteFindable(trx, { tenant, table: 'identity_profile' }, deletes.identityProfile);
  await deleteRows(trx, { tenant, table: 'sod_policy' }, deletes.sodPolicy);
  await deleteRows(trx, { tenant, table: 'control' }, deletes.control);
  await deleteFindable(trx, { tenant, table: 'role' }, deletes.role);
  await deleteFindable(trx, { tenant, table: 'access_profile' }, deletes.accessProfile);
  await deleteFindable(trx, { tenant, table: 'entitlement' }, deletes.entitlement);
}
