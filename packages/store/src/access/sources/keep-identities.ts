import { type ChangedIdentity, type Identity, keepAsAccount } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { readMatches } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToIdentity } from '../records/identity-codec.ts';
import type { StoredAccount } from './codec.ts';
import { followIdentities, type RelinkedAccount } from './follow-identities.ts';
import { type SourceWrite, writeIdentities } from './write-identities.ts';

interface KeptIdentity {
  readonly before: Identity;
  readonly after: Identity;
}

/** An account before and after a write; null where it is new. */
interface WrittenAccount {
  readonly before: StoredAccount | null;
  readonly after: StoredAccount;
}

/** The identities that accounts of authoritative sources change, by id, each as its last account has it. */
export async function keepIdentities(
  trx: Transaction<Tables>,
  { tenant, decidesActive = false }: Pick<KeepingWrite, 'tenant' | 'decidesActive'>,
  accounts: Iterable<WrittenAccount>,
): Promise<ReadonlyMap<string, KeptIdentity>> {
  const accountOf = new Map<string, WrittenAccount>();
  for (const account of accounts)
    if (account.after.identityId !== null) accountOf.set(account.after.identityId, account);
  const kept = new Map<string, KeptIdentity>();
  for await (const rows of readMatches(trx, { table: 'identity', tenant }, new Set(accountOf.keys())))
    for (const row of rows) {
      const account = accountOf.get(row.id);
      const before = rowToIdentity(row);
      if (account === undefined) continue;
      const active = decidesActive ? isActiveAfter(before, account) : before.active;
      const after = { ...keepAsAccount(before, account.after), active };
      if (!isSameRecord(before, after)) kept.set(row.id, { before, after });
    }
  return kept;
}

/** An account that is new, or whose state has changed, decides; a disabled one also when it joins the identity. */
const isActiveAfter = ({ active }: Identity, { before, after }: WrittenAccount): boolean =>
  before === null || before.disabled !== after.disabled
    ? !after.disabled
    : active && !(after.disabled && before.identityId !== after.identityId);

const isSameRecord = (before: Identity, after: Identity): boolean =>
  before.displayName === after.displayName &&
  before.email === after.email &&
  before.active === after.active &&
  JSON.stringify(before.attributes) === JSON.stringify(after.attributes);

/** A write of accounts that keeps identities. */
export interface KeepingWrite extends SourceWrite {
  /** Whether accounts of authoritative sources decide that identities are active or not; left out, that stays as it is. */
  readonly decidesActive?: boolean;
}

/** What relinked accounts of authoritative sources change of the identities that they join, and what follows. */
interface Joined {
  readonly accounts: readonly RelinkedAccount[];
  /** With the access that they hold. */
  readonly identities: readonly ChangedIdentity[];
  /** The ids of the identities whose records they change. */
  readonly kept: ReadonlySet<string>;
}

/**
 * Has relinked accounts of authoritative sources decide on the identities that they join, once these are stored. That may
 * relink others, which decide in their turn: each account once, since rules can make two of them follow one another for ever.
 */
export async function keepJoined(
  trx: Transaction<Tables>,
  write: KeepingWrite,
  relinked: readonly RelinkedAccount[],
): Promise<Joined> {
  const accounts: RelinkedAccount[] = [];
  const identities: ChangedIdentity[] = [];
  const all = new Set<string>();
  const decided = new Set<string>();
  for (let joining = joiningOf(write, relinked, decided); joining.length > 0; ) {
    for (const { after } of joining) decided.add(after.key);
    const kept = await keepIdentities(trx, write, joining);
    const followed = await followIdentities(
      trx,
      write,
      [...kept].map(([id, { before, after }]) => ({ id, before, after })),
    );
    const edits = new Map([...kept].map(([id, { after }]) => [id, after]));
    identities.push(...(await writeIdentities(trx, write, { edits, touched: followed.touched })));
    accounts.push(...followed.accounts);
    for (const id of kept.keys()) all.add(id);
    joining = joiningOf(write, followed.accounts, decided);
  }
  return { accounts, identities, kept: all };
}

const joiningOf = (
  { sources }: SourceWrite,
  relinked: readonly RelinkedAccount[],
  decided: ReadonlySet<string>,
): readonly RelinkedAccount[] =>
  relinked.filter(
    ({ before, after }) =>
      after.identityId !== null &&
      after.identityId !== before.identityId &&
      !decided.has(after.key) &&
      sources.get(after.source)?.authoritative === true,
  );

/** Changes of the same things one after the other, as one change of each. */
export function mergeChanges<C extends { readonly before: unknown }>(
  changes: Iterable<C>,
  idOf: (change: C) => string,
): readonly C[] {
  const merged = new Map<string, C>();
  for (const change of changes) {
    const first = merged.get(idOf(change));
    merged.set(idOf(change), first === undefined ? change : { ...change, before: first.before });
  }
  return [...merged.values()];
}
