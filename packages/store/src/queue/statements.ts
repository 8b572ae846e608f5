import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import { Runs } from '../engine/sqlite/runs.ts';
import { jsonRows } from '../query/json-rows.ts';
import type { Tables } from '../schema/tables.ts';
import { type ClaimTime, countsAttempts, isClaimable, type LeasedTable } from './leased-table.ts';

/** A table in a database. */
export interface PlacedTable extends LeasedTable {
  readonly joinedTenant: Database['joinedTenant'];
}

/** Assignments that count a claim, or take the count of one back. */
export function countClaims({ name, claimedTwice }: LeasedTable, change: 1 | -1): readonly RawBuilder<unknown>[] {
  const attempts = sql`${sql.ref(`${name}.attempts`)} + ${sql.lit(change)}`;
  const counted = sql`attempts = ${attempts}`;
  return claimedTwice === undefined
    ? [counted]
    : [counted, sql`${sql.ref(claimedTwice)} = case when ${attempts} > 1 then 1 else 0 end`];
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
    ...(countsAttempts(table) ? countClaims(table, 1) : []),
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

/** A claim of one row: what it writes has an effect only while its fence is the latest. */
export interface LeaseClaim {
  readonly tenant: string;
  readonly id: string;
  readonly fence: number;
}

type ColumnType = 'text' | 'integer';

interface HeldUpdate {
  readonly tenant: string;
  /** Rows of the tenant, without other properties than the columns. */
  readonly rows: readonly LeaseClaim[];
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
  if (!isPostgres(db)) return updateOnSqlite(db, table, update);
  const { rows } = await updateOnPostgres(table, update).execute(db);
  return new Set(rows.map(({ id }) => id));
}

type HeldEnd = Omit<HeldUpdate, 'set'>;

/** Ends claims of one tenant that are the latest: sets columns of their rows, and raises the fence. Returns their ids. */
export const endHeld = (db: Kysely<Tables>, table: PlacedTable, end: HeldEnd): Promise<ReadonlySet<string>> =>
  updateHeld(db, table, { ...end, set: [raiseFence(table)] });

/** A statement of PostgreSQL that ends claims as `endHeld` does, and also returns columns of `rows`. */
export const endHeldOnPostgres = (table: PlacedTable, end: HeldEnd & Returning): RawBuilder<Updated> =>
  updateOnPostgres(table, { ...end, set: [raiseFence(table)] });

interface Returning {
  readonly returned?: Readonly<Record<string, ColumnType>>;
}

interface Updated {
  readonly id: string;
}

/**
 * Row by row, since one statement for all would hold large values several times. The statement is compiled once, with a mark for
 * each value of a row, and the values are bound for each row. To return the id would cost twice as much as the update.
 */
async function updateOnSqlite(
  db: Kysely<Tables>,
  table: PlacedTable,
  { tenant, rows, set, columns = {} }: HeldUpdate,
): Promise<ReadonlySet<string>> {
  const ofRow = (name: string) => sql`${new OfRow(name)}`;
  const own = Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${ofRow(name)}`);
  const statement = sql`
    update ${sql.table(table.name)} set ${sql.join([...own, ...set])}
    where tenant = ${tenant} and ${sql.ref(table.id)} = ${ofRow('id')} and fence = ${ofRow('fence')}
      and ${isPresent(table, tenant)}`.compile(db);
  const ofEach = rows.map((row) =>
    statement.parameters.map((value) => (value instanceof OfRow ? Reflect.get(row, value.name) : value)),
  );
  const runs = new Runs(ofEach);
  await db.executeQuery({ ...statement, parameters: [runs] });
  return new Set(rows.flatMap(({ id }, at) => (runs.changes[at] === 0 ? [] : id)));
}

/** The mark of a value of the row. Kysely takes longer to compile a statement than SQLite to run it. */
class OfRow {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** One statement of PostgreSQL for all rows, which are one parameter. */
function updateOnPostgres(
  table: PlacedTable,
  { tenant, rows, set, columns = {}, returned = {} }: HeldUpdate & Returning,
): RawBuilder<Updated> {
  const column = (name: string) => sql.ref(`${table.name}.${name}`);
  const ofGiven = (name: string) => sql.ref(`given.${name}`);
  const types = { tenant: 'text', id: 'text', fence: 'integer', ...columns, ...returned } as const;
  const given = jsonRows(types, rows);
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
