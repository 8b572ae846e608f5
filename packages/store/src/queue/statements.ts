import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import { jsonRows } from '../query/json-rows.ts';
import { rowPlaceholders } from '../query/placeholders.ts';
import type { Tables } from '../schema/tables.ts';
import { type ClaimTime, countsAttempts, isClaimable, type LeasedTable } from './leased-table.ts';

/** A table in a database. */
export interface PlacedTable extends LeasedTable {
  readonly joinedTenant: Database['joinedTenant'];
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
    ...(countsAttempts(table) ? [sql`attempts = attempts + 1`] : []),
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

type ColumnType = 'text' | 'integer';

interface HeldUpdate {
  readonly tenant: string;
  readonly rows: readonly ClaimedRow[];
  readonly set: readonly RawBuilder<unknown>[];
  /** Columns that are set to those of `rows` with the same names. */
  readonly columns?: Readonly<Record<string, ColumnType>>;
}

/** Changes the rows of one tenant whose claims are the latest, and returns their ids. */
export async function updateHeld(
  db: Kysely<Tables>,
  table: PlacedTable,
  update: HeldUpdate,
): Promise<ReadonlySet<string>> {
  const statement = isPostgres(db)
    ? updateHeldTogether(table, update).compile(db)
    : updateHeldOnSqlite(db, table, update);
  const { rows } = await db.executeQuery<Updated>(statement);
  return new Set(rows.map(({ id }) => id));
}

type HeldEnd = Omit<HeldUpdate, 'set'>;

/** Ends claims of one tenant that are the latest: sets columns of their rows, and raises the fence. Returns their ids. */
export const endHeld = (db: Kysely<Tables>, table: PlacedTable, end: HeldEnd): Promise<ReadonlySet<string>> =>
  updateHeld(db, table, { ...end, set: [raiseFence(table)] });

/** A statement of PostgreSQL that ends claims as `endHeld` does, and also returns columns of `rows`. */
export const endHeldTogether = (table: PlacedTable, end: HeldEnd & Returning): RawBuilder<Updated> =>
  updateHeldTogether(table, { ...end, set: [raiseFence(table)] });

interface Returning {
  readonly returned?: Readonly<Record<string, ColumnType>>;
}

interface Updated {
  readonly id: string;
}

/** A parameter for each value: JSON of large values would take several times their memory. */
function updateHeldOnSqlite(
  db: Kysely<Tables>,
  table: PlacedTable,
  { tenant, rows, set, columns = {} }: HeldUpdate,
): CompiledQuery<Updated> {
  const names = ['id', 'fence', ...Object.keys(columns)];
  const placeholders = rowPlaceholders(db, { count: rows.length, isShared: names.map(() => false) });
  const own = Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`);
  const statement = sql<Updated>`
    with given (${sql.join(names.map((name) => sql.ref(name)))}) as (values ${placeholders})
    update ${sql.table(table.name)} set ${sql.join([...own, ...set])} from given
    where tenant = ${tenant} and ${sql.ref(`${table.name}.${table.id}`)} = given.id
      and ${sql.ref(`${table.name}.fence`)} = given.fence and ${isPresent(table, tenant)}
    returning ${sql.ref(table.id)} as id`.compile(db);
  const values = rows.flatMap((row) => names.map((name): unknown => Reflect.get(row, name)));
  return { ...statement, parameters: [...values, ...statement.parameters] };
}

/** One statement of PostgreSQL for all rows, which are one parameter. */
function updateHeldTogether(
  table: PlacedTable,
  { tenant, rows, set, columns = {}, returned = {} }: HeldUpdate & Returning,
): RawBuilder<Updated> {
  const column = (name: string) => sql.ref(`${table.name}.${name}`);
  const ofGiven = (name: string) => sql.ref(`given.${name}`);
  const types = { tenant: 'text', id: 'text', fence: 'integer', ...columns, ...returned } as const;
  const given = jsonRows(
    types,
    rows.map((row) => ({ ...row, tenant })),
  );
  const own = Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${ofGiven(name)}`);
  return sql`
    update ${sql.table(table.name)} set ${sql.join([...own, ...set])}
    from ${given}
    where ${isOfTenant(table, tenant, ofGiven('tenant'))} and ${column(table.id)} = given.id
      and ${column('fence')} = given.fence and ${isPresent(table, tenant)}
    returning ${sql.join([sql`${column(table.id)} as id`, ...Object.keys(returned).map(ofGiven)])}`;
}

const isOfTenant = ({ name, joinedTenant }: PlacedTable, tenant: string, column: RawBuilder<unknown>) =>
  sql`${sql.ref(`${name}.tenant`)} = ${joinedTenant(tenant, column)}`;

/** Ends the present claim: writes with its fence no longer have an effect. */
export const raiseFence = ({ name }: LeasedTable): RawBuilder<unknown> => sql`fence = ${sql.ref(`${name}.fence`)} + 1`;

/** While a tenant is being removed, only its removal can be claimed. */
const isPresent = ({ name }: LeasedTable, tenant: string): RawBuilder<unknown> =>
  name === 'tenant_removal'
    ? sql`true`
    : sql`not exists (select 1 from tenant_removal where tenant_removal.tenant = ${tenant})`;
