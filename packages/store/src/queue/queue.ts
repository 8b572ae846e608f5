import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import { type ColumnType, jsonRows } from '../query/json-rows.ts';
import type { Tables } from '../schema/tables.ts';
import { type ClaimTime, isClaimable, type LeasedTable } from './leased-table.ts';
import { createWaitingTenants } from './waiting-tenants.ts';

/** A claim of one row: what it writes has an effect only while its fence is the latest. */
export interface LeaseClaim {
  readonly tenant: string;
  readonly id: string;
  readonly fence: number;
}

export interface ClaimRequest extends ClaimTime {
  readonly limit: number;
  /** To claim of this one alone. */
  readonly tenant?: string;
  /** The most rows of one tenant that the worker holds; `limit` if left out. */
  readonly tenantMax?: number;
  /** How many it holds, by tenant. */
  readonly held?: ReadonlyMap<string, number>;
}

export interface Release {
  readonly availableAtMs: number;
  /** Whether the claim counts as an attempt. */
  readonly isAttempt: boolean;
}

/**
 * Work that is claimed under leases, whatever its kind. Each claim is an attempt, and raises the fence. Work that was claimed
 * twice without an end may have ended its workers: it is claimed alone, one row at a time, with 3 attempts or more.
 */
export interface LeasedQueue<Row> {
  /**
   * Claims up to `limit` rows that have fewer than 3 attempts with this claim, or else one row to be run alone. Tenants have
   * equal shares, in turn.
   */
  claim(request: ClaimRequest): Promise<readonly Row[]>;
  /** Extends leases. Returns the claims that are still the latest. */
  renew<C extends LeaseClaim>(claims: readonly C[], leaseEndMs: number): Promise<readonly C[]>;
  /** Gives claims back before their leases end. Those that are not the latest are left as they are. */
  release(claims: readonly LeaseClaim[], release: Release): Promise<void>;
  /** Locks the row of a claim in a transaction, whose other writes depend on it; false when the claim is not the latest. */
  hold(trx: Transaction<Tables>, claim: LeaseClaim): Promise<boolean>;
  /** Ends claims of one tenant in a transaction, and sets columns of their rows. Returns the ids of those that were the latest. */
  complete<R extends Claimed>(
    trx: Transaction<Tables>,
    tenant: string,
    completion: Completion<R>,
  ): Promise<ReadonlySet<string>>;
}

type Claimed = Pick<LeaseClaim, 'id' | 'fence'>;

interface Completion<Row extends Claimed> {
  readonly columns: ColumnTypes<keyof Row & string>;
  readonly rows: readonly Row[];
}

type ColumnTypes<Column extends string> = Readonly<Record<Exclude<Column, 'id' | 'fence'>, ColumnType>>;

/** Opens the queue of a table. Several processes may do so. */
export function createLeasedQueue<Name extends LeasedTable['name'] & keyof Tables>(
  database: Database,
  table: LeasedTable & { readonly name: Name },
): LeasedQueue<Selectable<Tables[Name]>> {
  type Row = Selectable<Tables[Name]>;
  const waiting = createWaitingTenants(database, table);
  let servedLast = '';

  /** Null where nothing can be claimed of the tenant now. */
  const claimOf = async (tenant: string, request: ClaimOf): Promise<readonly Row[] | null> => {
    waiting.remove(tenant);
    const claiming = database.writeStatement((db) => claimQuery<Row>(db, table, tenant, request).execute(db));
    const blocked = database.changedTenants?.unlessBlocked(claiming) ?? claiming;
    const rows = (await blocked)?.rows ?? null;
    if (rows === null || rows.length === request.limit) waiting.add(tenant);
    return rows;
  };

  return {
    claim: async ({ nowMs, leaseMs, limit, tenant: only, tenantMax = limit, held = new Map() }) => {
      const time = { nowMs, leaseMs };
      const listed = only === undefined ? await waiting.list(nowMs) : [{ tenant: only, hasAlone: true }];
      const open = inTurn(listed, servedLast)
        .map(({ tenant, hasAlone }) => ({ tenant, hasAlone, room: tenantMax - (held.get(tenant) ?? 0) }))
        .filter(({ room }) => room > 0);
      for (const { tenant } of open.filter(({ hasAlone }) => hasAlone)) {
        const alone = await claimOf(tenant, { ...time, limit: 1, isAlone: true });
        if (alone === null || alone.length === 0) continue;
        servedLast = tenant;
        return alone;
      }
      const { claimed, last } = await claimShares(open, limit, (tenant, share) =>
        claimOf(tenant, { ...time, limit: share, isAlone: false }),
      );
      servedLast = last ?? servedLast;
      return claimed;
    },
    renew: async (claims, leaseEndMs) => {
      const held = await ofEachTenant(claims, (tenant, own) =>
        database.writeStatement((db) =>
          updateHeld(db, table, { tenant, rows: own, set: sql`claimable_at_ms = ${leaseEndMs}` }),
        ),
      );
      const latest = new Set(held.flatMap(({ tenant, result }) => result.map((id) => nameOf({ tenant, id }))));
      return claims.filter((claim) => latest.has(nameOf(claim)));
    },
    release: async (claims, { availableAtMs, isAttempt }) => {
      const uncount =
        isAttempt || table.isNeverAlone ? sql`` : sql`, attempts = ${sql.ref(`${table.name}.attempts`)} - 1`;
      const set = sql`claimable_at_ms = ${availableAtMs}, ${raiseFence(table)} ${uncount}
        ${table.onRelease === undefined ? sql`` : sql`, ${table.onRelease}`}`;
      await ofEachTenant(claims, (tenant, rows) =>
        database.writeIdempotent((trx) => updateHeld(trx, table, { tenant, rows, set })),
      );
    },
    hold: async (trx, { tenant, id, fence }) => {
      const lock = isPostgres(trx) ? sql`for no key update` : sql``;
      const { rows } = await sql`
        select 1 from ${sql.table(table.name)}
        where tenant = ${tenant} and ${sql.ref(table.id)} = ${id} and fence = ${fence} ${lock}`.execute(trx);
      return rows.length > 0;
    },
    complete: async (trx, tenant, { columns, rows }) => {
      const assignments = Object.keys(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`);
      const set = sql.join([...assignments, raiseFence(table)]);
      return new Set(await updateHeld(trx, table, { tenant, rows, columns, set }));
    },
  };
}

/** While a tenant is being removed, only its removal can be claimed. */
const isPresent = ({ name }: LeasedTable, tenant: string) =>
  name === 'tenant_removal'
    ? sql`true`
    : sql`not exists (select 1 from tenant_removal where tenant_removal.tenant = ${tenant})`;

/** Ends the present claim: writes with its fence no longer have an effect. */
const raiseFence = (table: LeasedTable) => sql`fence = ${sql.ref(`${table.name}.fence`)} + 1`;

interface ClaimOf extends ClaimTime {
  readonly limit: number;
  readonly isAlone: boolean;
}

function claimQuery<Row>(
  db: Parameters<typeof isPostgres>[0],
  table: LeasedTable,
  tenant: string,
  { nowMs, leaseMs, limit, isAlone }: ClaimOf,
): RawBuilder<Row> {
  const name = sql.table(table.name);
  const id = sql.ref(table.id);
  // A file of SQLite has one writer.
  const lock = isPostgres(db) ? sql`for update skip locked` : sql``;
  const further = table.onClaim === undefined ? sql`` : sql`, ${table.onClaim(nowMs)}`;
  return sql`
    with chosen as (
      select ${id} from ${name} where tenant = ${tenant} and ${isClaimable(table, nowMs, isAlone, sql`${tenant}`)} and ${isPresent(table, tenant)}
      order by ${sql.raw(table.order)} limit ${limit} ${lock}
    )
    update ${name} set ${table.isNeverAlone ? sql`` : sql`attempts = attempts + 1,`} fence = fence + 1, claimable_at_ms = ${nowMs + leaseMs} ${further}
    where tenant = ${tenant} and ${id} in (select ${id} from chosen) returning *`;
}

interface HeldUpdate {
  readonly tenant: string;
  readonly rows: readonly Claimed[];
  readonly columns?: Readonly<Record<string, ColumnType>>;
  readonly set: RawBuilder<unknown>;
}

/** Changes the rows whose claims are the latest; returns their ids. */
async function updateHeld(
  db: Parameters<typeof isPostgres>[0] & Parameters<RawBuilder<unknown>['execute']>[0],
  table: LeasedTable,
  { tenant, rows, columns = {}, set }: HeldUpdate,
): Promise<readonly string[]> {
  const column = (name: string) => sql.ref(`${table.name}.${name}`);
  // Given a tenant alone, SQLite would look through all its rows. Citus finds the shard by it.
  const ofTenant = isPostgres(db) ? sql`${tenant}` : sql`given.tenant`;
  const types = { tenant: 'text', id: 'text', fence: 'integer', ...columns } as const;
  const given = jsonRows(
    db,
    types,
    rows.map((row) => ({ ...row, tenant })),
  );
  const updated = await sql<{ readonly id: string }>`
    update ${sql.table(table.name)} set ${set} from ${given}
    where ${column('tenant')} = ${ofTenant} and ${column(table.id)} = given.id and ${column('fence')} = given.fence
      and ${isPresent(table, tenant)}
    returning ${column(table.id)} as id`.execute(db);
  return updated.rows.map(({ id }) => id);
}

interface Open {
  readonly tenant: string;
  /** How many rows the worker may claim of it. */
  readonly room: number;
}

/** Claims equal shares of the limit; what a tenant leaves of its share is for the others. */
async function claimShares<Row>(
  tenants: readonly Open[],
  limit: number,
  claimOf: (tenant: string, share: number) => Promise<readonly Row[] | null>,
): Promise<{ readonly claimed: readonly Row[]; readonly last: string | undefined }> {
  const claimed: Row[] = [];
  const failures: unknown[] = [];
  let last: string | undefined;
  for (let open = tenants; open.length > 0 && claimed.length < limit && failures.length === 0; ) {
    const free = limit - claimed.length;
    const share = Math.max(1, Math.floor(free / open.length));
    const asked = open.slice(0, free);
    last = asked.at(-1)?.tenant;
    const more = await Promise.all(
      asked.map(async ({ tenant, room }): Promise<Open> => {
        const most = Math.min(share, room);
        const rows = await claimOf(tenant, most).catch((error: unknown) => {
          failures.push(error);
          return null;
        });
        claimed.push(...(rows ?? []));
        return { tenant, room: rows !== null && rows.length === most ? room - most : 0 };
      }),
    );
    open = [...open.slice(asked.length), ...more.filter(({ room }) => room > 0)];
  }
  // What is claimed already is worked on: a storage that is away rejects the next claim, too.
  if (claimed.length === 0 && failures.length > 0) throw failures[0];
  return { claimed, last };
}

/** By name, those after the tenant that was served last first. */
function inTurn<T extends { readonly tenant: string }>(tenants: readonly T[], servedLast: string): readonly T[] {
  const byName = tenants.toSorted((one, other) => (one.tenant < other.tenant ? -1 : 1));
  const isLater = ({ tenant }: T) => tenant > servedLast;
  return [...byName.filter(isLater), ...byName.filter((one) => !isLater(one))];
}

const ofEachTenant = <C extends LeaseClaim, T>(
  claims: readonly C[],
  work: (tenant: string, own: readonly C[]) => Promise<T>,
): Promise<readonly { readonly tenant: string; readonly result: T }[]> =>
  Promise.all(
    Array.from(
      Map.groupBy(claims, ({ tenant }) => tenant),
      async ([tenant, own]) => ({
        tenant,
        result: await work(tenant, own),
      }),
    ),
  );

const nameOf = ({ tenant, id }: Pick<LeaseClaim, 'tenant' | 'id'>): string => `${tenant} ${id}`;
