import { hash } from 'node:crypto';
import { CANDIDATES_MAX, type CorrelationKey } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { insertMissing } from '../../query/insert.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { Tables } from '../../schema/tables.ts';

/** Whether rows are of identities or of accounts. */
export type KeySide = Tables['correlation_key']['side'] & ('i' | 'a');

/** A key of an identity or an account. */
export interface OwnedKey {
  readonly key: CorrelationKey;
  readonly owner: string;
}

// Longer texts would not fit into an index of PostgreSQL.
const VALUE_LENGTH_MAX = 200;

const storedValue = (value: string): string =>
  value.length > VALUE_LENGTH_MAX ? `sha256 ${hash('sha256', value)}` : value;

/** A key as one text. */
export const keyText = ({ field, value }: CorrelationKey): string => `${field} ${value}`;

interface KeysOf {
  readonly tenant: string;
  readonly side: KeySide;
}

export const addKeys = (trx: Transaction<Tables>, of: KeysOf, keys: readonly OwnedKey[]): Promise<void> =>
  insertMissing(
    trx,
    'correlation_key',
    keys.map(({ key: { field, value }, owner }) => ({ ...of, field, value: storedValue(value), owner })),
  );

const ROWS_AT_ONCE = 100;

export async function removeKeys(
  trx: Transaction<Tables>,
  { tenant, side }: KeysOf,
  keys: readonly OwnedKey[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += ROWS_AT_ONCE) {
    const rows = keys
      .slice(start, start + ROWS_AT_ONCE)
      .map(({ key: { field, value }, owner }) => sql`(${field}, ${storedValue(value)}, ${owner})`);
    await sql`delete from correlation_key where tenant = ${tenant} and side = ${side}
      and (field, value, owner) in (values ${sql.join(rows)})`.execute(trx);
  }
}

/** Removes all keys of identities of some fields. */
export const removeFields = async (
  trx: Transaction<Tables>,
  tenant: string,
  fields: readonly string[],
): Promise<void> => {
  if (fields.length > 0)
    await trx
      .deleteFrom('correlation_key')
      .where('tenant', '=', tenant)
      .where('side', '=', 'i')
      .where('field', 'in', fields)
      .execute();
};

/** Finds the owners of keys. Those of each key are in code-unit order. */
export type FindOwners = (key: CorrelationKey) => readonly string[];

/** Finds the identities with each of these keys; of many with one key the first ones that an account shows as candidates. */
export async function findIdentities(
  db: Kysely<Tables>,
  tenant: string,
  keys: Iterable<CorrelationKey>,
): Promise<FindOwners> {
  const owners = new Map<string, readonly string[]>();
  for (const [field, values] of valuesByField(keys))
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
      const some = values.slice(start, start + ROWS_AT_ONCE);
      const wanted = new Map(some.map((value) => [storedValue(value), value]));
      const at = (offset: number) => sql`(
        select owner from correlation_key as key where key.tenant = ${tenant} and key.side = 'i' and key.field = ${field}
          and key.value = wanted.value order by owner limit 1 offset ${sql.lit(offset)})`;
      const { rows } = await sql<{ value: string; first: string | null; second: string | null }>`
        with wanted(value) as (values ${sql.join([...wanted.keys()].map((value) => sql`(${value})`))})
        select wanted.value, ${at(0)} as first, ${at(1)} as second from wanted`.execute(db);
      for (const { value, first, second } of rows) {
        const key = { field, value: wanted.get(value) ?? value };
        if (first !== null) owners.set(keyText(key), second === null ? [first] : await firstOwners(db, tenant, key));
      }
    }
  return (key) => owners.get(keyText(key)) ?? [];
}

async function firstOwners(
  db: Kysely<Tables>,
  tenant: string,
  { field, value }: CorrelationKey,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('correlation_key')
    .select('owner')
    .where('tenant', '=', tenant)
    .where('side', '=', 'i')
    .where('field', '=', field)
    .where('value', '=', storedValue(value))
    .orderBy('owner')
    .limit(CANDIDATES_MAX)
    .execute();
  return rows.map(({ owner }) => owner);
}

/** The keys of all accounts that look for one of these. */
export async function findAccountsLookingFor(
  db: Kysely<Tables>,
  tenant: string,
  keys: Iterable<CorrelationKey>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const [field, values] of valuesByField(keys))
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
      const rows = await db
        .selectFrom('correlation_key')
        .select('owner')
        .where('tenant', '=', tenant)
        .where('side', '=', 'a')
        .where('field', '=', field)
        .where(isOneOf(db, 'value', values.slice(start, start + ROWS_AT_ONCE).map(storedValue)))
        .execute();
      for (const { owner } of rows) found.add(owner);
    }
  return found;
}

function valuesByField(keys: Iterable<CorrelationKey>): ReadonlyMap<string, readonly string[]> {
  const byField = new Map<string, Set<string>>();
  for (const { field, value } of keys) {
    const values = byField.get(field);
    if (values === undefined) byField.set(field, new Set([value]));
    else values.add(value);
  }
  return new Map([...byField].map(([field, values]) => [field, [...values]]));
}

/** The keys that one of two lists alone has. */
export function keysThatDiffer(
  before: readonly CorrelationKey[],
  after: readonly CorrelationKey[],
): { readonly removed: readonly CorrelationKey[]; readonly added: readonly CorrelationKey[] } {
  if (before.length === 0 || after.length === 0) return { removed: before, added: after };
  const had = new Set(before.map(keyText));
  const has = new Set(after.map(keyText));
  return {
    removed: before.filter((key) => !has.has(keyText(key))),
    added: after.filter((key) => !had.has(keyText(key))),
  };
}
