import {
  changesBetween,
  type Entitlement,
  fail,
  failure,
  type NotFound,
  ok,
  type ResourceChange,
  type Result,
  type Role,
  type Source,
} from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { entitlementToRow, roleToRow, rowToEntitlement, rowToRole } from '../access/records/catalogue-codec.ts';
import { putEntries, removeEntries } from '../access/search/write-entries.ts';
import { ACCOUNTS_AT_ONCE, type AccountsApplied, applyAccounts } from '../access/sources/apply-accounts.ts';
import type { StoredAccount } from '../access/sources/codec.ts';
import { readAccounts } from '../access/sources/read.ts';
import { type Failed, unconditional } from '../engine/change.ts';
import { inParts } from '../engine/concurrency/in-parts.ts';
import { releaseOfDeleted } from '../governance/reservations/release.ts';
import { findReferences } from '../import/find-references.ts';
import { bumpRulebookVersion } from '../policies/rulebook/change-log.ts';
import { deleteRows, upsertRows } from '../query/model-tables.ts';
import type { Tables } from '../schema/tables.ts';
import {
  GROUP_SOURCE,
  type GroupsOf,
  isGroupOf,
  type ScimFailure,
  type ScimPage,
  type ScimQuery,
  tellApplied,
  type WrittenSource,
} from './accounts.ts';
import { compileScimFilter, type ScimFields } from './compile-filter.ts';

export interface ScimMember {
  /** The key of the account. */
  readonly key: string;
  /** Its display name; null without one. */
  readonly display: string | null;
}

/** An entitlement or a role of a source. */
export interface ScimGroup {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
  /** Changes with the members. */
  readonly membersVersion: string;
  /** In the order of their keys; null where they were not asked for. */
  readonly members: readonly ScimMember[] | null;
}

/** What is changed of a group. */
export interface ScimGroupChange {
  readonly name: string;
  readonly externalId: string | null;
  /** The steps in their order. A member that is added is one afterwards, and one that is removed is none, whatever it was. */
  readonly members: readonly ScimMembersChange[];
}

export type ScimMembersChange = { readonly kind: 'add' | 'remove' | 'set'; readonly keys: readonly string[] };

export const NO_SUCH_GROUP: NotFound = failure('NotFound', '', 'There is no such group.');

const tableOf = ({ groups }: Source): 'role' | 'entitlement' => (groups === 'ROLE' ? 'role' : 'entitlement');

const groupFields = (source: Source): ScimFields => {
  const isMember = (condition: RawBuilder<boolean>): RawBuilder<boolean> => sql`exists (
    select 1 from account_access as member where member.tenant = groups.tenant and member.source_id = ${source.id}
      and member.item_type = ${source.groups} and member.item_id = groups.id and ${condition})`;
  return new Map([
    ['id', { type: 'exact', column: sql.ref('groups.id') }],
    ['displayname', { type: 'text', column: sql.ref('groups.name') }],
    ['externalid', { type: 'exact', column: sql.ref('groups.external_id') }],
    [
      'members',
      {
        type: 'rows',
        exist: isMember,
        fields: new Map([
          ['value', { type: 'exact', column: sql.ref('member.account_id') }],
          ['type', { type: 'constant', value: 'user' }],
        ]),
      },
    ],
  ]);
};

const SORTED: Readonly<Record<ScimQuery['sortBy'], RawBuilder<unknown> | null>> = {
  id: sql.ref('groups.id'),
  displayName: sql`lower(${sql.ref('groups.name')})`,
  userName: null,
};

type GroupRow = Pick<Tables['entitlement'], 'id' | 'name' | 'external_id'>;

/** The groups of a source that meet a filter; null where the filter is not allowed. */
export async function listGroups(
  db: Kysely<Tables>,
  of: GroupsOf,
  query: ScimQuery & { readonly withMembers: boolean },
): Promise<ScimPage<ScimGroup> | null> {
  const { tenant, source } = of;
  const condition = query.filter === null ? sql`1 = 1` : compileScimFilter(query.filter, groupFields(source));
  if (condition === null) return null;
  const from = sql`${sql.table(tableOf(source))} as groups
    where groups.tenant = ${tenant} and ${isGroupOf(of)} and ${condition}`;
  const counted = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(db);
  const total = Number(counted.rows[0]?.count ?? 0);
  if (query.limit === 0 || total === 0) return { total, resources: [] };
  const order = SORTED[query.sortBy] ?? sql.ref('groups.id');
  const { rows } = await sql<GroupRow>`select id, name, external_id from ${from}
    order by ${order} ${sql.raw(query.descends ? 'desc' : 'asc')}, id limit ${query.limit} offset ${query.offset}`.execute(
    db,
  );
  const resources: ScimGroup[] = [];
  for (const row of rows) resources.push(await toGroup(db, of, { row, withMembers: query.withMembers }));
  return { total, resources };
}

export async function findGroup(
  db: Kysely<Tables>,
  of: GroupsOf,
  { id, withMembers }: { readonly id: string; readonly withMembers: boolean },
): Promise<ScimGroup | null> {
  const row = await db
    .selectFrom(tableOf(of.source))
    .select(['id', 'name', 'external_id'])
    .where('tenant', '=', of.tenant)
    .where('id', '=', id)
    .where(isGroupOf(of))
    .executeTakeFirst();
  return row === undefined ? null : toGroup(db, of, { row, withMembers });
}

async function toGroup(
  db: Kysely<Tables>,
  { tenant, source }: GroupsOf,
  { row, withMembers }: { readonly row: GroupRow; readonly withMembers: boolean },
): Promise<ScimGroup> {
  const members = withMembers ? await readMembers(db, { tenant, source }, row.id) : null;
  const { rows } = await sql<{ version: string }>`
    select count(*) || ' ' || cast(coalesce(sum(mark), 0) as text) as version from account_access
    where tenant = ${tenant} and source_id = ${source.id} and item_type = ${source.groups} and item_id = ${row.id}`.execute(
    db,
  );
  const membersVersion = rows[0]?.version ?? '';
  return { id: row.id, name: row.name, externalId: row.external_id, membersVersion, members };
}

async function readMembers(
  db: Kysely<Tables>,
  { tenant, source }: GroupsOf,
  id: string,
): Promise<readonly ScimMember[]> {
  const { rows } = await sql<{ key: string; display: string | null }>`
    select account.id as key, account.display_name as display
    from account_access as member join account on account.tenant = member.tenant and account.id = member.account_id
    where member.tenant = ${tenant} and member.source_id = ${source.id}
      and member.item_type = ${source.groups} and member.item_id = ${id} order by member.account_id`.execute(db);
  return rows;
}

const memberKeys = async (trx: Transaction<Tables>, { tenant, source }: GroupsOf, id: string) => {
  const rows = await trx
    .selectFrom('account_access')
    .select('account_id')
    .where('tenant', '=', tenant)
    .where('source_id', '=', source.id)
    .where('item_type', '=', source.groups)
    .where('item_id', '=', id)
    .execute();
  return new Set(rows.map(({ account_id }) => account_id));
};

const ofWrite = ({ auditContext: { tenant }, source }: WrittenSource): GroupsOf => ({ tenant, source });

export async function createGroup(
  trx: Transaction<Tables>,
  of: WrittenSource,
  { id, name, externalId, members }: ScimGroupChange & { readonly id: string },
): Promise<Result<ScimGroup, ScimFailure>> {
  const record = await writeRecord(trx, of, { id, before: null, name, externalId });
  const applied = await changeMembers(trx, of, { id, members });
  if (!applied.ok) return applied;
  return finish(trx, of, { id, changes: record, applied: applied.value });
}

export async function changeGroup<F extends Failed, G extends Failed>(
  trx: Transaction<Tables>,
  of: WrittenSource,
  {
    id,
    precondition = unconditional,
    decide,
  }: {
    readonly id: string;
    readonly precondition?: (present: ScimGroup) => Result<unknown, G>;
    readonly decide: (present: ScimGroup) => Result<ScimGroupChange, F>;
  },
): Promise<Result<ScimGroup, F | G | ScimFailure>> {
  const present = await findGroup(trx, ofWrite(of), { id, withMembers: false });
  if (present === null) return fail(NO_SUCH_GROUP);
  const met = precondition(present);
  if (!met.ok) return met;
  const decided = decide(present);
  if (!decided.ok) return decided;
  const { name, externalId, members } = decided.value;
  const changes = await writeRecord(trx, of, { id, before: present, name, externalId });
  const applied = await changeMembers(trx, of, { id, members });
  if (!applied.ok) return applied;
  return finish(trx, of, { id, changes, applied: applied.value });
}

export async function deleteGroup<G extends Failed>(
  trx: Transaction<Tables>,
  of: WrittenSource,
  {
    id,
    precondition = unconditional,
  }: { readonly id: string; readonly precondition?: (present: ScimGroup) => Result<unknown, G> },
): Promise<Result<null, G | ScimFailure>> {
  const { auditContext, source } = of;
  const { tenant } = auditContext;
  const present = await findGroup(trx, ofWrite(of), { id, withMembers: false });
  if (present === null) return fail(NO_SUCH_GROUP);
  const met = precondition(present);
  if (!met.ok) return met;
  const applied = await changeMembers(trx, of, { id, members: [{ kind: 'set', keys: [] }] });
  if (!applied.ok) return applied;
  const kind = source.groups === 'ROLE' ? 'role' : 'entitlement';
  const [reference] = await findReferences(trx, tenant, footprintOf(kind, id));
  if (reference !== undefined)
    return fail(failure('Conflict', '', `${reference.from.kind} ${reference.from.id} still refers to the group`));
  await removeEntries(trx, { tenant, table: kind }, [id]);
  await deleteRows(trx, { table: kind, tenant }, [id]);
  await bumpRulebookVersion(trx, tenant, { policies: [], access: [{ type: source.groups, id }] });
  const { name, externalId } = present;
  const deleted = changeOf(source, { id, before: { name, externalId }, after: null });
  await tellApplied(trx, auditContext, [...applied.value, { changes: [deleted], events: [] }]);
  await releaseOfDeleted(trx, auditContext, { identities: [], items: { [source.groups]: [id] } });
  return ok(null);
}

const NONE: ReadonlySet<string> = new Set();

function footprintOf(kind: 'role' | 'entitlement', id: string): Parameters<typeof findReferences>[2] {
  const none = {
    entitlement: NONE,
    accessProfile: NONE,
    role: NONE,
    identityProfile: NONE,
    source: NONE,
    identity: NONE,
    account: NONE,
    sodPolicy: NONE,
    control: NONE,
  };
  return { touched: none, deleted: { ...none, [kind]: new Set([id]) } };
}

interface RecordWrite {
  readonly id: string;
  readonly before: Pick<ScimGroup, 'name' | 'externalId'> | null;
  readonly name: string;
  readonly externalId: string | null;
}

/** Stores the entitlement or the role of a group. */
async function writeRecord(
  trx: Transaction<Tables>,
  { auditContext: { tenant }, source }: WrittenSource,
  { id, before, name, externalId }: RecordWrite,
): Promise<readonly ResourceChange[]> {
  if (before !== null && before.name === name && before.externalId === externalId) return [];
  const external = { externalId };
  if (source.groups === 'ROLE') {
    const stored = before === null ? null : await readRole(trx, tenant, id);
    const made = { id, accessProfiles: [], entitlements: [], attributes: { [GROUP_SOURCE]: source.id } };
    const row = roleToRow(tenant, { ...(stored ?? made), name, ...external });
    await upsertRows(trx, 'role', [row]);
    await putEntries(trx, 'role', [row]);
  } else {
    const stored = before === null ? null : await readEntitlement(trx, tenant, id);
    const row = entitlementToRow(tenant, { ...(stored ?? { id, source: source.id }), name, ...external });
    await upsertRows(trx, 'entitlement', [row]);
    await putEntries(trx, 'entitlement', [row]);
  }
  const isNews = before === null || (before.name !== name && source.groups === 'ENTITLEMENT');
  if (isNews) await bumpRulebookVersion(trx, tenant, { policies: [], access: [{ type: source.groups, id }] });
  return [changeOf(source, { id, before, after: { name, externalId } })];
}

async function readRole(trx: Transaction<Tables>, tenant: string, id: string): Promise<Role | null> {
  const rows = trx.selectFrom('role').selectAll().where('tenant', '=', tenant).where('id', '=', id);
  const row = await rows.executeTakeFirst();
  return row === undefined ? null : rowToRole(row);
}

async function readEntitlement(trx: Transaction<Tables>, tenant: string, id: string): Promise<Entitlement | null> {
  const rows = trx.selectFrom('entitlement').selectAll().where('tenant', '=', tenant).where('id', '=', id);
  const row = await rows.executeTakeFirst();
  return row === undefined ? null : rowToEntitlement(row);
}

const changeOf = (
  { groups }: Source,
  { id, before, after }: { readonly id: string; readonly before: object | null; readonly after: object | null },
): ResourceChange => {
  const shown = (group: object | null) =>
    group === null ? null : { name: Object(group).name, externalId: Object(group).externalId };
  return { resource: { type: groups, id }, changes: changesBetween(shown(before), shown(after)) };
};

interface MembersWrite {
  readonly id: string;
  readonly members: readonly ScimMembersChange[];
}

/** Gives the group to accounts, or takes it from them. Reads all members only where all are replaced. */
async function changeMembers(
  trx: Transaction<Tables>,
  of: WrittenSource,
  { id, members }: MembersWrite,
): Promise<Result<readonly AccountsApplied[], ScimFailure>> {
  const { auditContext, source, sources } = of;
  const wanted = new Map<string, boolean>();
  for (const { kind, keys } of members) {
    if (kind === 'set') {
      for (const key of await memberKeys(trx, ofWrite(of), id)) wanted.set(key, false);
      for (const key of wanted.keys()) wanted.set(key, false);
    }
    for (const key of keys) wanted.set(key, kind !== 'remove');
  }
  const all = [...wanted.keys()].sort();
  const applied: AccountsApplied[] = [];
  for (const some of inParts(all, ACCOUNTS_AT_ONCE)) {
    const accounts = await readAccounts(trx, auditContext.tenant, new Set(some));
    const records: StoredAccount[] = [];
    for (const key of some) {
      const account = accounts.get(key);
      const isMember = wanted.get(key) === true;
      if (account?.source === source.id) {
        const access = accessWith(account, { type: source.groups, id }, isMember);
        if (access !== account.access) records.push({ ...account, access });
      } else if (isMember) return fail(failure('ReferenceNotFound', 'members', 'there is no such user in this source'));
    }
    const writes = records.map(({ id: accountId, name, displayName, email, disabled, attributes = {}, access }) => ({
      id: accountId,
      name,
      displayName,
      email,
      disabled,
      attributes,
      access,
    }));
    if (writes.length > 0) applied.push(await applyAccounts(trx, { auditContext, source, sources, records: writes }));
  }
  return ok(applied);
}

/** The access of an account with or without a group. What it has in a window is no membership, and stays. */
function accessWith(
  { access }: StoredAccount,
  group: { readonly type: Source['groups']; readonly id: string },
  isMember: boolean,
): StoredAccount['access'] {
  const isGroup = (ref: StoredAccount['access'][number]) =>
    ref.type === group.type && ref.id === group.id && ref.start === undefined && ref.end === undefined;
  if (access.some(isGroup) === isMember) return access;
  return isMember ? [...access, group] : access.filter((ref) => !isGroup(ref));
}

async function finish(
  trx: Transaction<Tables>,
  of: WrittenSource,
  {
    id,
    changes,
    applied,
  }: {
    readonly id: string;
    readonly changes: readonly ResourceChange[];
    readonly applied: readonly AccountsApplied[];
  },
): Promise<Result<ScimGroup, NotFound>> {
  await tellApplied(trx, of.auditContext, [{ changes, events: [] }, ...applied]);
  const group = await findGroup(trx, ofWrite(of), { id, withMembers: false });
  return group === null ? fail(NO_SUCH_GROUP) : ok(group);
}
