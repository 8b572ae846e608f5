import {
  type AccountFields,
  type AuditContext,
  type ChangedAccount,
  type ChangedIdentity,
  type CorrelationKey,
  type CorrelationRule,
  correlate,
  faultOfUid,
  foldUid,
  type Identity,
  type IdentityProfile,
  keysOfAccount,
  keysOfIdentity,
  type ManualLink,
  makeIdentity,
  type Source,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { readColumns, upsertRows } from '../../query/model-tables.ts';
import { addToIdentityCount } from '../../record/tenants/versions.ts';
import { recordTiesOfChange } from '../../record/ties/record.ts';
import type { AccountRow, Tables } from '../../schema/tables.ts';
import { followAccess } from './account-access.ts';
import { accountKeyOf, accountToRow, type StoredAccount } from './codec.ts';
import { ensureProfile, profileOf } from './employees.ts';
import type { RelinkedAccount } from './follow-identities.ts';
import { followIdentities } from './follow-identities.ts';
import { type KeepingWrite, keepIdentities, keepJoined, mergeChanges } from './keep-identities.ts';
import {
  addKeys,
  type FindOwners,
  findIdentities,
  keysThatDiffer,
  keyText,
  type OwnedKey,
  removeKeys,
} from './keys.ts';
import { newIdentityId } from './new-id.ts';
import { identityFieldsOf, type SourcesById } from './read.ts';
import { writeIdentities } from './write-identities.ts';

/** The source whose accounts are written. */
export interface AccountsOf extends Pick<KeepingWrite, 'decidesActive'> {
  readonly auditContext: Pick<AuditContext, 'tenant' | 'actor' | 'time'>;
  readonly source: Source;
  /** All sources of the tenant, with this one as it is now. */
  readonly sources: SourcesById;
  /** The source as the stored accounts were written; as it is now if left out. */
  readonly sourceBefore?: Source;
}

/** An account to write. */
export interface AccountWrite {
  readonly fields: AccountFields;
  readonly before: StoredAccount | null;
  /** Null where rules decide on its identity. */
  readonly manual: ManualLink | null;
  readonly madeIdentityId: string | null;
  readonly seenByLoad: number | null;
  readonly externalId: string | null;
}

/** An account, and what is told of it. */
export interface AccountFault {
  readonly source: string;
  /** The id of the account in its source. */
  readonly id: string;
  readonly text: string;
}

/** An account of which its source could not make an identity. */
export interface IdentityFault extends AccountFault {
  readonly cause: FaultCause;
}

/** What keeps an account from making an identity: its name can be no uid, or an identity has its name or its id already. */
type FaultCause = 'NAME' | 'NAME_TAKEN' | 'ID_TAKEN';

/** What a write of accounts has changed. */
export interface AccountsWritten {
  /** The accounts that were written, each as it is now, in their order. */
  readonly accounts: readonly StoredAccount[];
  /** The accounts that have changed, of other sources too. */
  readonly changedAccounts: readonly ChangedAccount[];
  /** With the access that they hold. */
  readonly changedIdentities: readonly ChangedIdentity[];
  readonly madeIdentities: number;
  /** The identities whose records the source has changed. */
  readonly keptIdentities: number;
  readonly madeProfile: IdentityProfile | null;
  /** The accounts that have no identity, although their source should have made one. */
  readonly faults: readonly IdentityFault[];
  /** The accounts that were written, and by which others have lost their identity. */
  readonly unlinked: readonly AccountFault[];
}

/**
 * Writes accounts of one source with all that follows: their identities, where the source makes or keeps these, the links of
 * all accounts that are found by them, and what identities hold. At most some hundred at once, each once.
 */
export async function writeAccounts(
  trx: Transaction<Tables>,
  of: AccountsOf,
  writes: readonly AccountWrite[],
): Promise<AccountsWritten> {
  const { auditContext, source, sources, decidesActive = false } = of;
  const { tenant, time } = auditContext;
  const linked = await linkAccounts(trx, of, writes);
  await storeAccounts(trx, of, linked.accounts);
  const madeProfile = linked.made.size === 0 ? null : await ensureProfile(trx, tenant, source);
  const keeping = source.authoritative ? linked.accounts : [];
  // What is made is as its account has it.
  const kept = await keepIdentities(
    trx,
    { tenant, decidesActive },
    keeping.filter(({ after: { identityId } }) => identityId !== null && !linked.made.has(identityId)),
  );
  const edits = new Map<string, Identity>([
    ...linked.made,
    ...[...kept].map(([id, { after }]) => [id, after] as const),
  ]);
  const followed = [...edits].map(([id, after]) => ({ id, before: kept.get(id)?.before ?? null, after }));
  const relinked = await followIdentities(trx, { tenant, sources }, followed);
  const touched = new Set([...touchedBy(of, linked.accounts), ...relinked.touched]);
  const write = { tenant, time, sources, decidesActive };
  const written = await writeIdentities(trx, write, { edits, touched });
  const joined = await keepJoined(trx, write, relinked.accounts);
  if (linked.made.size > 0) {
    await addToIdentityCount(trx, tenant, linked.made.size);
    await recordTiesOfChange(trx, auditContext, linked.made.keys());
  }
  const last = new Map(linked.accounts.map(({ after }) => [after.key, after]));
  const followers = [...relinked.accounts, ...joined.accounts];
  for (const { after } of followers) if (last.has(after.key)) last.set(after.key, after);
  const changedAccounts: readonly ChangedAccount[] = [
    ...linked.accounts
      .filter(({ isChanged }) => isChanged)
      .map(({ before, after, fault }) => ({ before, after, fault: fault?.text ?? null })),
    ...followers,
  ];
  return {
    accounts: [...last.values()],
    changedAccounts: mergeChanges(changedAccounts, ({ before, after }) => (after ?? before)?.key ?? ''),
    changedIdentities: mergeChanges([...written, ...joined.identities], ({ id }) => id),
    madeIdentities: linked.made.size,
    keptIdentities: new Set([...kept.keys(), ...[...joined.kept].filter((id) => !linked.made.has(id))]).size,
    madeProfile,
    faults: linked.accounts.flatMap(({ after: { id }, fault }) =>
      fault === null ? [] : { source: source.id, id, ...fault },
    ),
    unlinked: [...unlinkedBy(linked.accounts, followers)],
  };
}

/** What is told of accounts that find several identities now, because those that were written look like them. */
function* unlinkedBy(
  written: readonly LinkedAccount[],
  followers: readonly RelinkedAccount[],
): Generator<AccountFault, void> {
  for (const { before, after } of followers) {
    if (after.correlation !== 'AMBIGUOUS' || before.correlation === 'AMBIGUOUS') continue;
    const { candidates } = after;
    const cause = written.findLast(
      ({ after: { identityId } }) => identityId !== null && candidates.includes(identityId),
    );
    if (cause === undefined) continue;
    const { source, id } = cause.after;
    const account = `the account ${after.name} of ${after.source}`;
    yield { source, id, text: `${account} has no identity now, because several match it: ${candidates.join(', ')}` };
  }
}

interface LinkedAccount {
  readonly before: StoredAccount | null;
  readonly after: StoredAccount;
  readonly isChanged: boolean;
  /** Why its source could not make an identity of it. */
  readonly fault: Pick<IdentityFault, 'cause' | 'text'> | null;
}

interface LinkedAccounts {
  readonly accounts: readonly LinkedAccount[];
  /** The identities that accounts make, by id. */
  readonly made: ReadonlyMap<string, Identity>;
}

/** Finds the identity of each account, or makes it. Accounts that come later find those that earlier ones make. */
async function linkAccounts(
  trx: Transaction<Tables>,
  { auditContext: { tenant, time }, source, sources, decidesActive = false }: AccountsOf,
  writes: readonly AccountWrite[],
): Promise<LinkedAccounts> {
  const fields = identityFieldsOf(sources);
  const all = writes.map((write) => ({ write, keys: keysOfAccount(write.fields, source.correlation) }));
  const find = await findIdentities(
    trx,
    tenant,
    all.flatMap(({ keys }) => presentKeys(keys)),
  );
  const linkOf = ({ write: { manual, madeIdentityId: made }, keys }: (typeof all)[number], findOwners: FindOwners) =>
    correlate({ manual, keys, made }, findOwners);
  const without = source.authoritative ? all.filter((each) => linkOf(each, find).correlation === 'NONE') : [];
  const taken = await readTaken(
    trx,
    tenant,
    without.map(({ write }) => write.fields),
  );

  const made = new Map<string, Identity>();
  const madeByKey = new Map<string, readonly string[]>();
  const findAll: FindOwners = (key) => {
    const more = madeByKey.get(keyText(key));
    return more === undefined ? find(key) : [...new Set([...find(key), ...more])].sort();
  };
  const accounts = all.map((each): LinkedAccount => {
    const { fields: account, before, seenByLoad, externalId } = each.write;
    let { madeIdentityId } = each.write;
    let link = linkOf(each, findAll);
    let fault: LinkedAccount['fault'] = null;
    if (source.authoritative && link.correlation === 'NONE') {
      const options = { identityProfile: profileOf(source), newId: newIdentityId };
      const identity = { ...makeIdentity(account, options), active: !(decidesActive && account.disabled) };
      const text = faultOfUid(identity.uid);
      fault = text === null ? taken.faultOf(identity) : { cause: 'NAME', text };
      if (fault === null) {
        made.set(identity.id, identity);
        taken.add(identity);
        for (const key of keysOfIdentity(identity, fields))
          madeByKey.set(keyText(key), [...(madeByKey.get(keyText(key)) ?? []), identity.id]);
        madeIdentityId = identity.id;
        link = correlate({ manual: null, keys: each.keys, made: identity.id }, findAll);
      }
    }
    const key = accountKeyOf(source.id, account.id);
    const { created = time, modified = time } = before ?? {};
    const stored = { key, source: source.id, ...link, madeIdentityId, seenByLoad, externalId, created, modified };
    const after = { ...account, ...stored };
    if (before !== null && !isChanged(tenant, before, after)) return { before, after, isChanged: false, fault };
    return { before, after: { ...after, modified: time }, isChanged: true, fault };
  });
  return { accounts, made };
}

const presentKeys = (keys: readonly (CorrelationKey | null)[]): readonly CorrelationKey[] =>
  keys.filter((key): key is CorrelationKey => key !== null);

/** Whether an account has changed, apart from the load that has seen it. */
function isChanged(tenant: string, before: StoredAccount, after: StoredAccount): boolean {
  const [one, other] = [before, { ...after, seenByLoad: before.seenByLoad }].map((account) =>
    Object.values<AccountRow[keyof AccountRow]>(accountToRow(tenant, account)),
  );
  return one === undefined || one.some((value, at) => value !== other?.[at]);
}

/** The uids and ids that identities have already. */
interface Taken {
  /** Why an identity cannot be made; null where it can. */
  faultOf(identity: Identity): LinkedAccount['fault'];
  add(identity: Identity): void;
}

async function readTaken(trx: Transaction<Tables>, tenant: string, accounts: readonly AccountFields[]): Promise<Taken> {
  const idByUid = new Map<string, string>();
  const ids = new Set<string>();
  const wanted = { uid_folded: accounts.map(({ name }) => foldUid(name)), id: accounts.map(({ id }) => id) };
  for (const by of ['uid_folded', 'id'] as const) {
    const from = { table: 'identity', tenant, by, columns: ['id', 'uid_folded'] } as const;
    for await (const rows of readColumns(trx, from, new Set(wanted[by])))
      for (const { id, uid_folded } of rows) {
        idByUid.set(uid_folded, id);
        ids.add(id);
      }
  }
  return {
    faultOf: ({ id, uid }) => {
      const other = idByUid.get(foldUid(uid));
      if (other !== undefined)
        return {
          cause: 'NAME_TAKEN',
          text: `cannot make an identity: the identity ${other} has its name as uid already`,
        };
      const text = `cannot make an identity: there is the identity ${id} already, which no rule finds`;
      return ids.has(id) ? { cause: 'ID_TAKEN', text } : null;
    },
    add: ({ id, uid }) => {
      idByUid.set(foldUid(uid), id);
      ids.add(id);
    },
  };
}

/** Stores accounts, and the keys by which they look for identities. */
async function storeAccounts(
  trx: Transaction<Tables>,
  { auditContext: { tenant }, source, sourceBefore = source }: AccountsOf,
  accounts: readonly LinkedAccount[],
): Promise<void> {
  const removed: OwnedKey[] = [];
  const added: OwnedKey[] = [];
  const keysOf = (account: StoredAccount | null, rules: readonly CorrelationRule[]) =>
    account === null ? [] : presentKeys(keysOfAccount(account, rules));
  for (const { before, after } of accounts) {
    const differing = keysThatDiffer(keysOf(before, sourceBefore.correlation), keysOf(after, source.correlation));
    for (const key of differing.removed) removed.push({ key, owner: after.key });
    for (const key of differing.added) added.push({ key, owner: after.key });
  }
  await removeKeys(trx, { tenant, side: 'a' }, removed);
  await addKeys(trx, { tenant, side: 'a' }, added);
  await followAccess(
    trx,
    { tenant, sourceId: source.id },
    accounts.filter(({ isChanged }) => isChanged),
  );
  const isStored = ({ before, after, isChanged }: LinkedAccount) =>
    isChanged || before?.seenByLoad !== after.seenByLoad;
  await upsertRows(
    trx,
    'account',
    accounts.filter(isStored).map(({ after }) => accountToRow(tenant, after)),
  );
}

/** The identities that accounts have left or joined, or to whom they grant something else. */
function* touchedBy(
  { source, sourceBefore = source }: AccountsOf,
  accounts: readonly LinkedAccount[],
): Generator<string, void> {
  const isRegranted = source.ignoreDisabled !== sourceBefore.ignoreDisabled;
  for (const { before, after, isChanged } of accounts) {
    if (!isChanged && !isRegranted) continue;
    if (before !== null && before.identityId !== null) yield before.identityId;
    if (after.identityId !== null) yield after.identityId;
  }
}
