import {
  type AccountFields,
  type AuditContext,
  accountChange,
  accountFieldsOf,
  changedAssignments,
  changesBetween,
  groupChanges,
  identityChange,
  type LoadSummary,
  type ManualLink,
  manualLinkOf,
  type NewEvent,
  newEvent,
  type ResourceChange,
} from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { accountKeyOf, accountToRow, type StoredAccount } from './codec.ts';
import { readAccounts } from './read.ts';
import {
  type AccountFault,
  type AccountsOf,
  type AccountsWritten,
  type AccountWrite,
  type IdentityFault,
  writeAccounts,
} from './write-accounts.ts';

/** An account as its source has it now. */
export interface AccountRecord extends AccountFields {
  /** Its identity by hand; null where rules decide from now on; left out, that stays as it is. */
  readonly manual?: ManualLink | null;
  /** The identity that it has made; left out, that stays as it is. An import restores it. */
  readonly madeIdentityId?: string | null;
  /** What a directory calls it; left out, that stays as it is, and is the id of a new account. */
  readonly externalId?: string | null;
}

/** Accounts of one source to store. */
export interface AccountBatch extends AccountsOf {
  /** At most `ACCOUNTS_AT_ONCE`, each id once. Whatever their access refers to exists. */
  readonly records: readonly AccountRecord[];
  /** The number of the load that sees them; left out, they keep the one that has seen them last. */
  readonly load?: number;
}

/** The most accounts that are applied, or deleted, in one call. */
export const ACCOUNTS_AT_ONCE = 500;

/** Counts for the summary of a load. Those of batches and deletions add up. */
export interface AccountCounts
  extends Pick<LoadSummary, 'accounts' | 'correlated' | 'identities' | 'access' | 'disabled'> {
  /** The accounts that had access, and have none any more. */
  readonly emptied: number;
}

/** What the transaction of the caller has still to tell. */
export interface Recording {
  /** For the audit log: give it to `recordChanges` at the end of the transaction. */
  readonly changes: readonly ResourceChange[];
  /** Give them to `appendEvents` at the end of the transaction. */
  readonly events: readonly NewEvent[];
  /** For the answer. The audit log has those of accounts that have changed. */
  readonly faults: readonly IdentityFault[];
}

/** What a batch, or a deletion, has changed. */
export interface AccountsApplied extends Recording {
  readonly counts: AccountCounts;
  /** The identities that are no longer active: end their sign-ins and acts at the end of the transaction. */
  readonly deactivated: readonly string[];
  /** The accounts as they are now, in the order of their records; none of a deletion. */
  readonly accounts: readonly StoredAccount[];
  /** The accounts by which others have lost their identity; of a deletion none. */
  readonly unlinked: readonly AccountFault[];
}

/** Stores accounts with all that follows, in the transaction of the caller. */
export async function applyAccounts(trx: Transaction<Tables>, batch: AccountBatch): Promise<AccountsApplied> {
  const { auditContext, source, records, load } = batch;
  const { tenant } = auditContext;
  const keys = records.map(({ id }) => accountKeyOf(source.id, id));
  const stored = await readAccounts(trx, tenant, new Set(keys));
  const writes = records.map((record, at) => toWrite(record, stored.get(keys[at] ?? '') ?? null, load));
  // What is as it was needs no correlation; an authoritative source may have to restore its identities.
  const isNews = (write: AccountWrite) =>
    source.authoritative || write.before === null || isDifferent(tenant, write, write.before);
  const news = writes.filter(isNews);
  if (load !== undefined)
    await markSeen(
      trx,
      { tenant, load },
      writes.filter((write) => !isNews(write)),
    );
  const written = await writeAccounts(trx, batch, news);
  const byKey = new Map(written.accounts.map((account) => [account.key, account]));
  const accounts = keys.flatMap((key) => byKey.get(key) ?? stored.get(key) ?? []);
  return {
    ...recordingOf(auditContext, written),
    deactivated: written.changedIdentities.flatMap(({ id, before, after }) =>
      before?.active === true && after?.active === false ? id : [],
    ),
    accounts,
    unlinked: written.unlinked,
    counts: countApplied(writes, accounts, written),
  };
}

function toWrite(record: AccountRecord, before: StoredAccount | null, load: number | undefined): AccountWrite {
  const { manual, madeIdentityId, externalId = before === null ? record.id : before.externalId } = record;
  return {
    fields: accountFieldsOf(record),
    before,
    manual: manual === undefined ? before && manualLinkOf(before) : manual,
    madeIdentityId: madeIdentityId === undefined ? (before?.madeIdentityId ?? null) : madeIdentityId,
    seenByLoad: load ?? before?.seenByLoad ?? null,
    externalId,
  };
}

/** Whether a record says something else than is stored. */
function isDifferent(
  tenant: string,
  { fields, manual, madeIdentityId, externalId }: AccountWrite,
  before: StoredAccount,
): boolean {
  const present = manualLinkOf(before);
  if (manual?.identityId !== present?.identityId || madeIdentityId !== before.madeIdentityId) return true;
  if (externalId !== before.externalId) return true;
  const one = Object.values(accountToRow(tenant, before));
  const { attributes: _, ...stored } = before;
  const other = Object.values(accountToRow(tenant, { ...stored, ...fields }));
  return one.some((value, at) => value !== other[at]);
}

async function markSeen(
  trx: Transaction<Tables>,
  { tenant, load }: { readonly tenant: string; readonly load: number },
  writes: readonly AccountWrite[],
): Promise<void> {
  const keys = writes.flatMap(({ before }) => before?.key ?? []);
  if (keys.length === 0) return;
  await sql`update account set seen_by_load = ${load} where tenant = ${tenant} and id in (${sql.join(keys)})`.execute(
    trx,
  );
}

/** What is to be told of written accounts. */
export function recordingOf(
  { time }: Pick<AuditContext, 'time'>,
  written: Pick<AccountsWritten, 'changedAccounts' | 'changedIdentities' | 'madeProfile' | 'faults'>,
): Recording {
  const { changedAccounts, changedIdentities, madeProfile, faults } = written;
  const profile =
    madeProfile === null ? null : { id: madeProfile.id, name: madeProfile.name, ...madeProfile.authProfile };
  return {
    changes: [
      ...(profile === null
        ? []
        : [{ resource: { type: 'AUTH_PROFILE', id: profile.id } as const, changes: changesBetween(null, profile) }]),
      ...groupChanges('ACCOUNT', changedAccounts.map(accountChange)),
      ...groupChanges('IDENTITY', changedIdentities.map(identityChange)),
    ],
    events:
      profile === null
        ? []
        : [newEvent('auth-profile.changed', profile.id, { time, data: { ...profile, strongAuthLogin: false } })],
    faults,
  };
}

function countApplied(
  writes: readonly AccountWrite[],
  accounts: readonly StoredAccount[],
  { changedAccounts, madeIdentities, keptIdentities }: AccountsWritten,
): AccountCounts {
  const changed = new Set(changedAccounts.map(({ after }) => after?.key));
  const created = writes.filter(({ before }) => before === null).length;
  const updated = writes.filter(({ before }) => before !== null && changed.has(before.key)).length;
  const count = (correlation: StoredAccount['correlation']) =>
    accounts.filter((account) => account.correlation === correlation).length;
  let added = 0;
  let removed = 0;
  let emptied = 0;
  for (const { before, fields } of writes) {
    const differing = changedAssignments(before?.access ?? [], fields.access);
    added += differing?.added.length ?? 0;
    removed += differing?.removed.length ?? 0;
    emptied += Number(before !== null && before.access.length > 0 && fields.access.length === 0);
  }
  return {
    accounts: { created, updated, deleted: 0, unchanged: writes.length - created - updated },
    correlated: { byRule: count('RULE'), byHand: count('MANUAL'), ambiguous: count('AMBIGUOUS'), none: count('NONE') },
    identities: { created: madeIdentities, updated: keptIdentities },
    access: { added, removed },
    disabled: accounts.filter(({ disabled }) => disabled).length,
    emptied,
  };
}
