import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';
import { type ColumnType, jsonRows } from '../query/json-rows.ts';
import type { Tables } from '../schema/tables.ts';
import { type ClaimTime, isClaimable, type LeasedTable } from './leased-table.ts';

/** A table in a database. */
export interface PlacedTable extends LeasedTable {
  /** Whether its rows are on several servers. */
  readonly isDistributed: boolean;
}

export interface ClaimOfTenant extends ClaimTime {
  readonly tenant: string;
  readonly limit: number;
  readonly isAlone: boolean;
}

/** Claims rows of one tenant. */
export function claimRows<Row>(
  db: Kysely<Tables>,
  table: PlacedTable,
  { tenant, nowMs, leaseMs, limit, isAlone }: ClaimOfTenant,
): RawBuilder<Row> {
  const name = sql.table(table.name);
  const id = sql.ref(table.id);
  // A file of SQLite has one writer.
  const lock = isPostgres(db) ? sql`for update skip locked` : sql``;
  const assignments = [
    sql`fence = fence + 1`,
    sql`claimable_at_ms = ${nowMs + leaseMs}`,
    ...(table.sharedPerAlone === null ? [] : [sql`attempts = attempts + 1`]),
    ...(table.onClaim === undefined ? [] : [table.onClaim]),
  ];
  return sql`
    with chosen (tenant, id) as (
      select tenant, ${id} from ${name}
      where tenant = ${tenant} and ${isClaimable(table, nowMs, { isAlone, tenant: sql`${tenant}` })}
        and ${isPresent(table, tenant)}
      order by ${sql.raw(table.order)} limit ${limit} ${lock}
    )
    update ${name} set ${sql.join(assignments)} from chosen
    where ${isOfTenant(table, tenant, sql`chosen.tenant`)} and ${sql.ref(`${table.name}.${table.id}`)} = chosen.id
    returning ${isPostgres(db) ? sql`${name}.*` : sql`*`}`;
}

export interface ClaimedRow {
  readonly id: string;
  readonly fence: number;
}

interface HeldUpdate {
  readonly tenant: string;
  readonly rows: readonly ClaimedRow[];
  readonly set: readonly RawBuilder<unknown>[];
  /** Further columns of `rows`, to which `set` and `returning` refer as columns of `given`. */
  readonly columns?: Readonly<Record<string, ColumnType>>;
  readonly returning?: readonly RawBuilder<unknown>[];
}

/** Changes the rows of one tenant whose claims are the latest, and returns their ids. */
export function updateHeld<Returned>(
  db: Kysely<Tables>,
  table: PlacedTable,
  { tenant, rows, set, columns = {}, returning = [] }: HeldUpdate,
): RawBuilder<Returned> {
  const column = (name: string) => sql.ref(`${table.name}.${name}`);
  const types = { tenant: 'text', id: 'text', fence: 'integer', ...columns } as const;
  const given = jsonRows(
    db,
    types,
    rows.map((row) => ({ ...row, tenant })),
  );
  return sql`
    update ${sql.table(table.name)} set ${sql.join(set)} from ${given}
    where ${isOfTenant(table, tenant, sql`given.tenant`)} and ${column(table.id)} = given.id
      and ${column('fence')} = given.fence and ${isPresent(table, tenant)}
    returning ${sql.join([sql`${column(table.id)} as id`, ...returning])}`;
}

interface HeldEnds extends Omit<HeldUpdate, 'set' | 'columns' | 'returning'> {
  /** The columns that the ends set, and further ones of `rows` that are returned. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly returned?: Readonly<Record<string, ColumnType>>;
}

/** Ends claims of one tenant that are the latest: sets columns of their rows, and raises the fence. */
export const endHeld = <Returned>(
  db: Kysely<Tables>,
  table: PlacedTable,
  { columns, returned = {}, ...claims }: HeldEnds,
): RawBuilder<Returned> =>
  updateHeld(db, table, {
    ...claims,
    set: [
      ...Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`),
      raiseFence(table),
    ],
    columns: { ...columns, ...returned },
    returning: Object.keys(returned).map((name) => sql.ref(`given.${name}`)),
  });

/** Given the tenant itself, both engines may look through all its rows. Citus finds the shard by it. */
const isOfTenant = ({ name, isDistributed }: PlacedTable, tenant: string, column: RawBuilder<unknown>) =>
  sql`${sql.ref(`${name}.tenant`)} = ${isDistributed ? sql`${tenant}` : column}`;

/** Ends the present claim: writes with its fence no longer have an effect. */
export const raiseFence = ({ name }: LeasedTable): RawBuilder<unknown> => sql`fence = ${sql.ref(`${name}.fence`)} + 1`;

/** While a tenant is being removed, only its removal can be claimed. */
const isPresent = ({ name }: LeasedTable, tenant: string): RawBuilder<unknown> =>
  name === 'tenant_removal'
    ? sql`true`
    : sql`not exists (select 1 from tenant_removal where tenant_removal.tenant = ${tenant})`;
