import { type AccountOfImport, accountFieldsOf, accountRef, manualLinkOf } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { ACCOUNTS_AT_ONCE, type AccountRecord } from './apply-accounts.ts';
import { accountKeyOf, type StoredAccount } from './codec.ts';
import { readAccounts } from './read.ts';

/** The key of an account by what an import calls it. */
export function accountKeyOfRef(ref: string): string {
  const at = ref.indexOf(' ');
  return accountKeyOf(ref.slice(0, at), ref.slice(at + 1));
}

/** The source of an account by what an import calls it. */
export const sourceOfRef = (ref: string): string => ref.slice(0, ref.indexOf(' '));

/** An account as an import has it. */
export const toAccountOfImport = (stored: StoredAccount): AccountOfImport => ({
  ...accountFieldsOf(stored),
  id: accountRef(stored.source, stored.id),
  source: stored.source,
  account: stored.id,
  manual: manualLinkOf(stored),
  madeIdentityId: stored.madeIdentityId,
});

/**
 * An account of an import as it is applied. Links that are as they were stored are left out: what the import has written before
 * may have changed them, for example by deleting their identities.
 */
export const toAccountRecord = (
  { account: id, source: _, manual, madeIdentityId, ...account }: AccountOfImport,
  stored: AccountOfImport | undefined,
): AccountRecord => ({
  ...account,
  id,
  ...(manual?.identityId === stored?.manual?.identityId ? {} : { manual }),
  ...(madeIdentityId === (stored?.madeIdentityId ?? null) ? {} : { madeIdentityId }),
});

/** The stored accounts among those of an import, by what it calls them. */
export async function readAccountsOfImport(
  db: Kysely<Tables>,
  tenant: string,
  refs: ReadonlySet<string>,
): Promise<ReadonlyMap<string, AccountOfImport>> {
  const keys = [...refs].map(accountKeyOfRef);
  const accounts = new Map<string, AccountOfImport>();
  for (let start = 0; start < keys.length; start += ACCOUNTS_AT_ONCE)
    for (const stored of (
      await readAccounts(db, tenant, new Set(keys.slice(start, start + ACCOUNTS_AT_ONCE)))
    ).values()) {
      const account = toAccountOfImport(stored);
      accounts.set(account.id, account);
    }
  return accounts;
}
