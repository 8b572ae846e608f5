import { type RawBuilder, sql } from 'kysely';
import { rememberWaitingTenants } from '../engine/citus/waiting-tenants.ts';
import type { Database } from '../engine/database.ts';
import { isClaimable, type LeasedTable } from './leased-table.ts';

/** A tenant with work to claim. */
export interface WaitingTenant {
  readonly tenant: string;
  /** Whether some of it is to be claimed alone. */
  readonly hasAlone: boolean;
}

export interface WaitingTenants {
  /** The tenants with work to claim. */
  list(nowMs: number): Promise<readonly WaitingTenant[]>;
  /** Work of the tenant is about to be claimed. */
  remove(tenant: string): void;
  /** There may be more. */
  add(tenant: string): void;
}

const LISTED_MAX = 10_000;

export function createWaitingTenants(database: Database, table: LeasedTable): WaitingTenants {
  if (database.changedTenants !== null)
    return rememberWaitingTenants(database.changedTenants, {
      arisesFrom: table.arisesFrom,
      list: (nowMs: number) => read(database, listOfAllShards(table, nowMs)),
    });
  return { list: (nowMs) => read(database, listByIndex(table, nowMs)), remove: () => {}, add: () => {} };
}

interface WaitingRow {
  readonly tenant: string;
  readonly has_alone: number;
}

async function read(database: Database, query: RawBuilder<WaitingRow>): Promise<readonly WaitingTenant[]> {
  const { rows } = await database.read((db) => query.execute(db));
  return rows.map(({ tenant, has_alone }) => ({ tenant, hasAlone: has_alone === 1 }));
}

const listByIndex = (table: LeasedTable, nowMs: number): RawBuilder<WaitingRow> => sql`
  with recursive waiting (tenant) as (${table.waiting?.(nowMs) ?? stepThrough(table, nowMs)})
  select tenant, ${hasAlone(table, nowMs, sql`waiting`)} as has_alone from waiting
  where tenant is not null and ${hasClaimable(table, nowMs, sql`waiting`)} limit ${LISTED_MAX}`;

/** Steps from tenant to tenant through the index, so that its cost does not grow with the rows of a tenant. */
function stepThrough(table: LeasedTable, nowMs: number): RawBuilder<unknown> {
  const name = sql.table(table.name);
  const pending = table.pending(nowMs, sql.ref(`${table.name}.tenant`));
  return sql`
    select * from (select tenant from ${name} where ${pending} order by tenant limit 1) as first
    union all
    select (select tenant from ${name} where ${pending} and tenant > waiting.tenant order by tenant limit 1)
    from waiting where waiting.tenant is not null`;
}

/** Citus has no recursion over shards. The row of a tenant goes before that of its removal. */
const listOfAllShards = (table: LeasedTable, nowMs: number): RawBuilder<WaitingRow> => {
  const tenants = sql.table(table.id === 'tenant' ? table.name : 'tenant');
  return sql`
    select waiting.tenant, ${hasAlone(table, nowMs, sql`waiting`)} as has_alone from ${tenants} as waiting
    where ${hasClaimable(table, nowMs, sql`waiting`)}`;
};

const hasClaimable = (table: LeasedTable, nowMs: number, of: RawBuilder<unknown>, isAlone?: boolean) => sql`exists (
  select 1 from ${sql.table(table.name)}
  where ${sql.ref(`${table.name}.tenant`)} = ${of}.tenant and ${isClaimable(table, nowMs, isAlone)})`;

const hasAlone = (table: LeasedTable, nowMs: number, of: RawBuilder<unknown>) =>
  table.isNeverAlone ? sql`0` : sql`case when ${hasClaimable(table, nowMs, of, true)} then 1 else 0 end`;
