import {
  type AccountLink,
  type CorrelatedIdentity,
  type CorrelationKey,
  correlate,
  keysOfAccount,
  keysOfIdentity,
  manualLinkOf,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { upsertRows } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { accountToRow, type StoredAccount } from './codec.ts';
import { addKeys, findAccountsLookingFor, findIdentities, keysThatDiffer, type OwnedKey, removeKeys } from './keys.ts';
import { identityFieldsOf, readAccounts, type SourcesById } from './read.ts';

/** An identity before and after a change; null where it does not exist. */
export interface FollowedIdentity {
  readonly id: string;
  readonly before: CorrelatedIdentity | null;
  readonly after: CorrelatedIdentity | null;
}

export interface RelinkedAccount {
  readonly before: StoredAccount;
  readonly after: StoredAccount;
}

/** What becomes of accounts when identities change. */
export interface Relinked {
  readonly accounts: readonly RelinkedAccount[];
  /** The ids of the identities that have lost or gained an account. */
  readonly touched: ReadonlySet<string>;
}

interface OfTenant {
  readonly tenant: string;
  readonly sources: SourcesById;
}

const IDENTITIES_AT_ONCE = 1_000;
const ACCOUNTS_AT_ONCE = 500;

/** Keeps the keys of changed identities, and links the accounts that look for them anew. */
export async function followIdentities(
  trx: Transaction<Tables>,
  of: OfTenant,
  changes: Iterable<FollowedIdentity>,
): Promise<Relinked> {
  const accounts: RelinkedAccount[] = [];
  const touched = new Set<string>();
  if (of.sources.size === 0) return { accounts, touched };
  const follow = async (some: readonly FollowedIdentity[]) => {
    const relinked = await followSome(trx, of, some);
    accounts.push(...relinked.accounts);
    for (const id of relinked.touched) touched.add(id);
  };
  let some: FollowedIdentity[] = [];
  for (const change of changes) {
    if (some.push(change) < IDENTITIES_AT_ONCE) continue;
    await follow(some);
    some = [];
  }
  if (some.length > 0) await follow(some);
  return { accounts, touched };
}

async function followSome(
  trx: Transaction<Tables>,
  of: OfTenant,
  changes: readonly FollowedIdentity[],
): Promise<Relinked> {
  const { tenant } = of;
  const fields = identityFieldsOf(of.sources);
  const removed: OwnedKey[] = [];
  const added: OwnedKey[] = [];
  for (const { id, before, after } of changes) {
    const keysOf = (identity: CorrelatedIdentity | null) => (identity === null ? [] : keysOfIdentity(identity, fields));
    const differing = keysThatDiffer(keysOf(before), keysOf(after));
    for (const key of differing.removed) removed.push({ key, owner: id });
    for (const key of differing.added) added.push({ key, owner: id });
  }
  await removeKeys(trx, { tenant, side: 'i' }, removed);
  await addKeys(trx, { tenant, side: 'i' }, added);
  const deleted = new Set(changes.flatMap(({ id, after }) => (after === null ? id : [])));
  const looking = await findAccountsLookingFor(
    trx,
    tenant,
    [...removed, ...added].map(({ key }) => key),
  );
  return relinkAccounts(trx, of, {
    keys: new Set([...looking, ...(await findAccountsOf(trx, tenant, [...deleted]))]),
    deleted,
  });
}

/** The keys of the accounts that belong to identities, or have made them. */
async function findAccountsOf(
  trx: Transaction<Tables>,
  tenant: string,
  identityIds: readonly string[],
): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let start = 0; start < identityIds.length; start += ACCOUNTS_AT_ONCE) {
    const some = identityIds.slice(start, start + ACCOUNTS_AT_ONCE);
    for (const column of ['identity_id', 'made_identity_id'] as const) {
      const rows = await trx
        .selectFrom('account')
        .select('id')
        .where('tenant', '=', tenant)
        .where(column, 'in', some)
        .execute();
      for (const { id } of rows) keys.push(id);
    }
  }
  return keys;
}

async function relinkAccounts(
  trx: Transaction<Tables>,
  { tenant, sources }: OfTenant,
  { keys, deleted }: { readonly keys: ReadonlySet<string>; readonly deleted: ReadonlySet<string> },
): Promise<Relinked> {
  const all = [...keys];
  const changes: RelinkedAccount[] = [];
  const touched = new Set<string>();
  for (let start = 0; start < all.length; start += ACCOUNTS_AT_ONCE) {
    const accounts = await readAccounts(trx, tenant, new Set(all.slice(start, start + ACCOUNTS_AT_ONCE)));
    const correlating = [...accounts.values()].map((account) => {
      const isGone = (id: string | null) => id !== null && deleted.has(id);
      return {
        account,
        manual: isGone(account.identityId) ? null : manualLinkOf(account),
        keys: keysOfAccount(account, sources.get(account.source)?.correlation ?? []),
        made: isGone(account.madeIdentityId) ? null : account.madeIdentityId,
      };
    });
    const wanted = correlating.flatMap((each) => each.keys.filter((key): key is CorrelationKey => key !== null));
    const find = await findIdentities(trx, tenant, wanted);
    const after: StoredAccount[] = [];
    for (const { account, ...each } of correlating) {
      const link = correlate(each, find);
      if (isSameLink(account, link) && account.madeIdentityId === each.made) continue;
      const relinked = { ...account, ...link, madeIdentityId: each.made };
      after.push(relinked);
      changes.push({ before: account, after: relinked });
      for (const id of [account.identityId, link.identityId]) if (id !== null) touched.add(id);
    }
    await upsertRows(
      trx,
      'account',
      after.map((account) => accountToRow(tenant, account)),
    );
  }
  return { accounts: changes, touched };
}

/** Whether an account already has a link. */
const isSameLink = (account: AccountLink, link: AccountLink): boolean =>
  account.identityId === link.identityId &&
  account.correlation === link.correlation &&
  account.candidates.join() === link.candidates.join();
