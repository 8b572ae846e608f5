import {
  type AccountFields,
  type AuditContext,
  type Conflict,
  fail,
  failure,
  type IllegalValue,
  type NotFound,
  ok,
  type ReferenceNotFound,
  type Result,
  type ScimFilter,
  type SignInGuard,
  type Source,
} from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type AccountsApplied, applyAccounts } from '../access/sources/apply-accounts.ts';
import { accountKeyOf, rowToAccount, type StoredAccount } from '../access/sources/codec.ts';
import { deleteAccounts } from '../access/sources/delete-accounts.ts';
import { readSources, type SourcesById } from '../access/sources/read.ts';
import { type Failed, unconditional } from '../engine/change.ts';
import { inParts } from '../engine/concurrency/in-parts.ts';
import type { Database } from '../engine/database.ts';
import { changeScope } from '../engine/scope.ts';
import { toSmall } from '../query/ignore-case.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import type { Tables } from '../schema/tables.ts';
import { endSignInsAndActs } from '../sign-in/end-acts.ts';
import { guarded } from '../sign-in/guard.ts';
import { compileScimFilter, type ScimFields } from './compile-filter.ts';

/** A page of a list of SCIM. */
export interface ScimQuery {
  readonly filter: ScimFilter | null;
  readonly sortBy: 'id' | 'userName' | 'displayName';
  readonly descends: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface ScimPage<T> {
  readonly total: number;
  readonly resources: readonly T[];
}

/** A group that an account is a member of. */
export interface ScimMembership {
  readonly id: string;
  readonly name: string;
}

/** An account with its groups. */
export interface ScimAccount {
  readonly account: StoredAccount;
  readonly groups: readonly ScimMembership[];
}

/** What a directory says of an account. */
export interface ScimAccountFields extends Omit<AccountFields, 'id' | 'access'> {
  readonly externalId: string | null;
}

export type ScimFailure = NotFound | Conflict | IllegalValue | ReferenceNotFound;

/** How an account is changed. Both functions see what is stored, inside the transaction. */
export interface ScimAccountChange<F extends Failed, G extends Failed> {
  readonly precondition?: (present: ScimAccount) => Result<unknown, G>;
  readonly decide: (present: ScimAccount) => Result<ScimAccountFields, F>;
  /** Refuses to take the last administrator that can sign in; refuses nothing if left out. */
  readonly guard?: SignInGuard | undefined;
}

export const NO_SUCH_SOURCE: NotFound = failure('NotFound', '', 'There is no such source.');
export const NO_SUCH_USER: NotFound = failure('NotFound', '', 'There is no such user.');

const ACCOUNT_FIELDS: ScimFields = new Map([
  ['id', { type: 'exact', column: sql.ref('account.id') }],
  ['username', { type: 'folded', column: sql.ref('account.name_folded') }],
  ['externalid', { type: 'exact', column: sql.ref('account.external_id') }],
  ['displayname', { type: 'text', column: sql.ref('account.display_name') }],
  ['active', { type: 'boolean', column: sql`1 - ${sql.ref('account.disabled')}` }],
  ['meta.lastmodified', { type: 'time', column: sql.ref('account.modified') }],
  [
    'emails',
    {
      type: 'complex',
      present: sql`${sql.ref('account.email')} is not null`,
      fields: new Map([
        ['value', { type: 'text', column: sql.ref('account.email') }],
        ['type', { type: 'constant', value: 'work' }],
        ['primary', { type: 'constant', value: true }],
      ]),
    },
  ],
]);

const SORTED: Readonly<Record<ScimQuery['sortBy'], RawBuilder<unknown>>> = {
  id: sql.ref('account.id'),
  userName: sql.ref('account.name_folded'),
  displayName: sql`lower(${sql.ref('account.display_name')})`,
};

/** For SQLite the index of the order would be a better choice than that of the filter, however few accounts the filter finds. */
const FILTERED_BY_ID = sql`${sql.ref('account.id')} || ''`;

/** The accounts of a source that meet a filter; null where the filter is not allowed. */
export async function listAccounts(
  db: Kysely<Tables>,
  { tenant, source }: { readonly tenant: string; readonly source: Source },
  query: ScimQuery,
): Promise<ScimPage<ScimAccount> | null> {
  const condition = query.filter === null ? sql`1 = 1` : compileScimFilter(query.filter, ACCOUNT_FIELDS);
  if (condition === null) return null;
  const where = sql`account.tenant = ${tenant} and account.source_id = ${source.id} and ${condition}`;
  const counted = await sql<{ count: number }>`select count(*) as count from account where ${where}`.execute(db);
  const total = Number(counted.rows[0]?.count ?? 0);
  if (query.limit === 0 || total === 0) return { total, resources: [] };
  const direction = sql.raw(query.descends ? 'desc' : 'asc');
  const sorted = query.sortBy === 'id' && query.filter !== null ? FILTERED_BY_ID : SORTED[query.sortBy];
  const { rows } = await sql<Tables['account']>`select * from account where ${where}
    order by ${query.sortBy === 'displayName' ? sql`(${sorted} is null), ` : sql``}${sorted} ${direction}, account.id
    limit ${query.limit} offset ${query.offset}`.execute(db);
  return { total, resources: await withGroups(db, { tenant, source }, rows.map(rowToAccount)) };
}

/** Accounts with the names of their groups. */
async function withGroups(
  db: Kysely<Tables>,
  { tenant, source }: { readonly tenant: string; readonly source: Source },
  accounts: readonly StoredAccount[],
): Promise<readonly ScimAccount[]> {
  const isOfGroup = (ref: StoredAccount['access'][number]) =>
    ref.type === source.groups && ref.start === undefined && ref.end === undefined;
  const ids = [...new Set(accounts.flatMap(({ access }) => access.filter(isOfGroup).map(({ id }) => id)))];
  const names = new Map<string, string>();
  const table = source.groups === 'ROLE' ? 'role' : 'entitlement';
  for (const some of inParts(ids, IDS_AT_ONCE)) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('tenant', '=', tenant)
      .where('id', 'in', some)
      .where(isGroupOf({ tenant, source }))
      .execute();
    for (const { id, name } of rows) names.set(id, name);
  }
  return accounts.map((account) => ({
    account,
    groups: account.access.flatMap((ref) => {
      const name = isOfGroup(ref) ? names.get(ref.id) : undefined;
      return name === undefined ? [] : [{ id: ref.id, name }];
    }),
  }));
}

const IDS_AT_ONCE = 500;

/** The attribute of a role that tells the source whose group it is; entitlements have a property of their own. */
export const GROUP_SOURCE = 'source';

/**
 * Whether a record is a group of a source: SCIM makes it one by the id of the source, loads by the name, which counts unless
 * another source is called so.
 */
export const isGroupOf = ({ tenant, source: { id, name, groups } }: GroupsOf): RawBuilder<boolean> => {
  const isOf = (text: string): RawBuilder<boolean> => {
    if (groups === 'ENTITLEMENT') return sql`source = ${text}`;
    const pair = `${JSON.stringify(GROUP_SOURCE)}:${JSON.stringify(text)}`;
    return sql`(attributes is not null and replace(attributes, ${pair}, '') <> attributes)`;
  };
  if (name === id) return isOf(id);
  return sql`(${isOf(id)} or (${isOf(name)} and not exists (
    select 1 from source as other
    where other.tenant = ${tenant} and other.id <> ${id} and (other.id = ${name} or other.name = ${name}))))`;
};

/** The source whose groups are meant. */
export interface GroupsOf {
  readonly tenant: string;
  readonly source: Source;
}

export async function findAccount(
  db: Kysely<Tables>,
  of: { readonly tenant: string; readonly source: Source },
  key: string,
): Promise<ScimAccount | null> {
  const row = await db
    .selectFrom('account')
    .selectAll()
    .where('tenant', '=', of.tenant)
    .where('id', '=', key)
    .where('source_id', '=', of.source.id)
    .executeTakeFirst();
  const [found = null] = row === undefined ? [] : await withGroups(db, of, [rowToAccount(row)]);
  return found;
}

/** The source of a write, as it is in the transaction. */
export interface WrittenSource {
  readonly auditContext: AuditContext;
  readonly source: Source;
  readonly sources: SourcesById;
}

/** Runs a write in a transaction with its source. */
export const writeToSource = <T, F>(
  database: Pick<Database, 'write'>,
  auditContext: AuditContext,
  sourceId: string,
  work: (trx: Transaction<Tables>, of: WrittenSource) => Promise<Result<T, F>>,
): Promise<Result<T, F | NotFound>> =>
  database.write(changeScope(auditContext), async (trx): Promise<Result<T, F | NotFound>> => {
    const sources = await readSources(trx, auditContext.tenant);
    const source = sources.get(sourceId);
    return source === undefined ? fail(NO_SUCH_SOURCE) : work(trx, { auditContext, source, sources });
  });

/** Tells what accounts have changed, at the end of a transaction. */
export async function tellApplied(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  applied: readonly Pick<AccountsApplied, 'changes' | 'events'>[],
): Promise<void> {
  await recordChanges(
    trx,
    auditContext,
    applied.flatMap(({ changes }) => changes),
  );
  await appendEvents(
    trx,
    auditContext.tenant,
    applied.flatMap(({ events }) => events),
  );
}

/** A new account. `newId` is its id in the source where its external id cannot be. */
export interface ScimCreation extends Pick<ScimAccountChange<never, never>, 'guard'> {
  readonly fields: ScimAccountFields;
  readonly newId: string;
}

export async function createAccount(
  trx: Transaction<Tables>,
  of: WrittenSource,
  { fields, newId, guard }: ScimCreation,
): Promise<Result<ScimAccount, ScimFailure>> {
  const taken = await findTaken(trx, of, { fields, key: null });
  if (taken !== null) return fail(taken);
  const wanted = fields.externalId ?? newId;
  // An account that has changed its external id keeps its id.
  const isTaken = (await findAccount(trx, tenantAndSource(of), accountKeyOf(of.source.id, wanted))) !== null;
  const record = { ...fields, id: isTaken ? newId : wanted, access: [] };
  return store(trx, of, { record, guard, needsIdentity: true });
}

const tenantAndSource = ({ auditContext: { tenant }, source }: WrittenSource) => ({ tenant, source });

interface AccountToStore {
  readonly record: AccountFields & Pick<ScimAccountFields, 'externalId'>;
  readonly guard: SignInGuard | undefined;
  /** Whether it is refused where its source should make an identity of it, and cannot. */
  readonly needsIdentity: boolean;
}

/** Stores an account, guarded: it may deactivate its identity, and others whose accounts it has join them. */
const store = (
  trx: Transaction<Tables>,
  of: WrittenSource,
  account: AccountToStore,
): Promise<Result<ScimAccount, ScimFailure>> =>
  guarded(trx, guardedBy(of, account.guard), () => storeRecord(trx, of, account));

/** Accounts of other sources decide nothing of identities. */
const guardedBy = ({ auditContext: { tenant }, source }: WrittenSource, guard: SignInGuard | undefined) => ({
  tenant,
  guard: source.authoritative ? guard : undefined,
});

/** The refusals of a user of which its source can make no identity. */
const REFUSALS = {
  NAME: (text: string) => failure('IllegalValue', 'userName', text),
  NAME_TAKEN: (text: string) => failure('Conflict', 'userName', text),
  ID_TAKEN: (text: string) => failure('Conflict', 'externalId', text),
};

async function storeRecord(
  trx: Transaction<Tables>,
  { auditContext, source, sources }: WrittenSource,
  { record, needsIdentity }: AccountToStore,
): Promise<Result<ScimAccount, ScimFailure>> {
  const batch = { auditContext, source, sources, records: [record], decidesActive: true };
  const applied = await applyAccounts(trx, batch);
  const [fault] = needsIdentity ? applied.faults : [];
  if (fault !== undefined) return fail(REFUSALS[fault.cause](fault.text));
  await tellApplied(trx, auditContext, [applied]);
  const { deactivated } = applied;
  const events = await endSignInsAndActs(trx, auditContext, { promoted: [], renamed: [], deactivated });
  await appendEvents(trx, auditContext.tenant, events);
  const [stored] = await withGroups(trx, { tenant: auditContext.tenant, source }, applied.accounts);
  return stored === undefined ? fail(NO_SUCH_USER) : ok(stored);
}

export async function changeAccount<F extends Failed, G extends Failed>(
  trx: Transaction<Tables>,
  of: WrittenSource,
  { key, precondition = unconditional, decide, guard }: ScimAccountChange<F, G> & { readonly key: string },
): Promise<Result<ScimAccount, F | G | ScimFailure>> {
  const present = await findAccount(trx, tenantAndSource(of), key);
  if (present === null) return fail(NO_SUCH_USER);
  const met = precondition(present);
  if (!met.ok) return met;
  const decided = decide(present);
  if (!decided.ok) return decided;
  const taken = await findTaken(trx, of, { fields: decided.value, key });
  if (taken !== null) return fail(taken);
  const { id, access } = present.account;
  return store(trx, of, { record: { ...decided.value, id, access }, guard, needsIdentity: false });
}

export interface ScimDeletion<G extends Failed> extends Omit<ScimAccountChange<never, G>, 'decide'> {
  readonly key: string;
}

export async function deleteAccount<G extends Failed>(
  trx: Transaction<Tables>,
  of: WrittenSource,
  { key, precondition = unconditional, guard }: ScimDeletion<G>,
): Promise<Result<null, G | NotFound>> {
  const present = await findAccount(trx, tenantAndSource(of), key);
  if (present === null) return fail(NO_SUCH_USER);
  const met = precondition(present);
  if (!met.ok) return met;
  const leaving = { ...guardedBy(of, guard), leaving: present.account.identityId };
  return guarded(trx, leaving, async (): Promise<Result<null, NotFound>> => {
    await tellApplied(trx, of.auditContext, [await deleteAccounts(trx, of, [key])]);
    return ok(null);
  });
}

/** Why an account cannot have its names, as another one of its source has them. */
async function findTaken(
  trx: Transaction<Tables>,
  { auditContext: { tenant }, source }: WrittenSource,
  { fields: { name, externalId }, key }: { readonly fields: ScimAccountFields; readonly key: string | null },
): Promise<Conflict | null> {
  const others = trx
    .selectFrom('account')
    .select('id')
    .where('tenant', '=', tenant)
    .where('source_id', '=', source.id)
    .where('id', '<>', key ?? '')
    .limit(1);
  if ((await others.where('name_folded', '=', toSmall(name)).executeTakeFirst()) !== undefined)
    return failure('Conflict', 'userName', 'another user of this source has it already');
  if (externalId === null) return null;
  return (await others.where('external_id', '=', externalId).executeTakeFirst()) === undefined
    ? null
    : failure('Conflict', 'externalId', 'another user of this source has it already');
}
