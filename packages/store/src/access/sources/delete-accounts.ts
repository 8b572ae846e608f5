import { type ChangedAccount, keysOfAccount } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { deleteRows } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { followAccess } from './account-access.ts';
import { type AccountsApplied, recordingOf } from './apply-accounts.ts';
import type { StoredAccount } from './codec.ts';
import { removeKeys } from './keys.ts';
import { readAccounts } from './read.ts';
import type { AccountsOf } from './write-accounts.ts';
import { writeIdentities } from './write-identities.ts';

/** Deletes accounts of one source, at most `ACCOUNTS_AT_ONCE`, and what they grant, in the transaction of the caller. */
export async function deleteAccounts(
  trx: Transaction<Tables>,
  { auditContext, source, sources, sourceBefore = source }: AccountsOf,
  keys: readonly string[],
): Promise<AccountsApplied> {
  const { tenant, time } = auditContext;
  const accounts = [...(await readAccounts(trx, tenant, new Set(keys))).values()];
  const owned = accounts.flatMap((account) =>
    keysOfAccount(account, sourceBefore.correlation).flatMap((key) =>
      key === null ? [] : { key, owner: account.key },
    ),
  );
  await removeKeys(trx, { tenant, side: 'a' }, owned);
  await followAccess(
    trx,
    { tenant, sourceId: source.id },
    accounts.map((before) => ({ before, after: null })),
  );
  await deleteRows(
    trx,
    { table: 'account', tenant },
    accounts.map(({ key }) => key),
  );
  const touched = new Set(accounts.flatMap(({ identityId }) => identityId ?? []));
  const changedIdentities = await writeIdentities(trx, { tenant, time, sources }, { edits: new Map(), touched });
  const changedAccounts = accounts.map((before): ChangedAccount => ({ before, after: null }));
  return {
    ...recordingOf(auditContext, { changedAccounts, changedIdentities, madeProfile: null, faults: [] }),
    accounts: [],
    unlinked: [],
    deactivated: [],
    counts: countDeleted(accounts),
  };
}

const countDeleted = (accounts: readonly StoredAccount[]): AccountsApplied['counts'] => ({
  accounts: { created: 0, updated: 0, deleted: accounts.length, unchanged: 0 },
  correlated: { byRule: 0, byHand: 0, ambiguous: 0, none: 0 },
  identities: { created: 0, updated: 0 },
  access: { added: 0, removed: accounts.reduce((sum, { access }) => sum + access.length, 0) },
  disabled: 0,
  emptied: 0,
});
