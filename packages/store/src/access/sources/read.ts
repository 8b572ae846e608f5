import { type GrantingAccount, grants, type Source, type TimedAccessRef } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { readMatches } from '../../query/model-tables.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { Tables } from '../../schema/tables.ts';
import { unpackAccess } from '../records/access-codec.ts';
import { rowToAccount, rowToSource, type StoredAccount } from './codec.ts';

/** The sources of a tenant by id. */
export type SourcesById = ReadonlyMap<string, Source>;

export async function readSources(db: Kysely<Tables>, tenant: string): Promise<SourcesById> {
  const rows = await db.selectFrom('source').selectAll().where('tenant', '=', tenant).orderBy('id').execute();
  return new Map(rows.map((row) => [row.id, rowToSource(row)]));
}

/** The fields of identities that rules of some sources compare. */
export const identityFieldsOf = (sources: SourcesById): ReadonlySet<string> =>
  new Set([...sources.values()].flatMap(({ correlation }) => correlation.map(({ identity }) => identity)));

/** The accounts with some keys, by key. */
export async function readAccounts(
  db: Kysely<Tables>,
  tenant: string,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredAccount>> {
  const accounts = new Map<string, StoredAccount>();
  for await (const rows of readMatches(db, { table: 'account', tenant }, keys))
    for (const row of rows) accounts.set(row.id, rowToAccount(row));
  return accounts;
}

const IDS_AT_ONCE = 500;

/** What accounts of identities grant, those of an identity in the order of their keys. */
export const accountsOfIdentities = (db: Kysely<Tables>, tenant: string, identityIds: readonly string[]) =>
  db
    .selectFrom('account')
    .select(['identity_id', 'source_id', 'disabled', 'access'])
    .where('tenant', '=', tenant)
    .where(isOneOf(db, 'identity_id', identityIds))
    // In the order of keys alone, SQLite would read all accounts of the tenant.
    .orderBy('identity_id')
    .orderBy('id');

/** The access of the accounts of identities that counts, account by account in the order of their keys. */
export async function readGrants(
  db: Kysely<Tables>,
  { tenant, sources }: { readonly tenant: string; readonly sources: SourcesById },
  identityIds: readonly string[],
): Promise<(identityId: string) => readonly (readonly TimedAccessRef[])[]> {
  const granted = new Map<string, (readonly TimedAccessRef[])[]>();
  for (let start = 0; start < (sources.size === 0 ? 0 : identityIds.length); start += IDS_AT_ONCE) {
    const some = identityIds.slice(start, start + IDS_AT_ONCE);
    const rows = await accountsOfIdentities(db, tenant, some).execute();
    for (const { identity_id, source_id, disabled, access } of rows) {
      const source = sources.get(source_id);
      if (identity_id === null || source === undefined || !grants({ disabled: disabled === 1 }, source)) continue;
      const known = granted.get(identity_id);
      if (known === undefined) granted.set(identity_id, [unpackAccess(access)]);
      else known.push(unpackAccess(access));
    }
  }
  return (identityId) => granted.get(identityId) ?? [];
}

/** An account that grants something, by name. */
export interface NamedGrant extends GrantingAccount {
  readonly name: string;
}

/** The accounts of an identity whose access counts, by key. */
export async function readGrantingAccounts(
  db: Kysely<Tables>,
  tenant: string,
  identityId: string,
): Promise<readonly NamedGrant[]> {
  const rows = await db
    .selectFrom('account')
    .innerJoin('source', (join) =>
      join.onRef('source.tenant', '=', 'account.tenant').onRef('source.id', '=', 'account.source_id'),
    )
    .select(['account.id', 'account.source_id', 'account.name', 'account.access'])
    .where('account.tenant', '=', tenant)
    .where('account.identity_id', '=', identityId)
    .where((eb) => eb.or([eb('account.disabled', '=', 0), eb('source.ignore_disabled', '=', 0)]))
    .orderBy('account.id')
    .execute();
  return rows.map(({ id, source_id, name, access }) => ({
    key: id,
    source: source_id,
    name,
    access: unpackAccess(access),
  }));
}
