import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';
import { createAloneTurns } from './alone-turns.ts';
import { claimShares } from './claim-shares.ts';
import { type ClaimTime, countsAttempts, type LeasedTable } from './leased-table.ts';
import { type ClaimOfTenant, claimRows, countClaims, type LeaseClaim, raiseFence, updateHeld } from './statements.ts';
import { takeTurns } from './waiting-tenants.ts';

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
 * Work that is claimed under leases, whatever its kind. Each claim raises the fence, and is an attempt where the table counts them.
 * Work that is still pending after two attempts may have ended its workers: from the third on it is claimed alone, one row at a
 * time.
 */
export interface LeasedQueue<Row> {
  /**
   * Claims up to `limit` rows, of which tenants have equal shares, in turn. Or one row that is to run alone: where nothing else
   * of its kind waits or is held, otherwise in turn with other work.
   */
  claim(request: ClaimRequest): Promise<readonly Row[]>;
  /** Extends leases. Returns the claims that are still the latest. */
  renew<C extends LeaseClaim>(claims: readonly C[], leaseEndMs: number): Promise<readonly C[]>;
  /** Gives claims back before their leases end. Those that are not the latest are left as they are. */
  release(claims: readonly LeaseClaim[], release: Release): Promise<void>;
  /** Locks the row of a claim in a transaction, whose other writes depend on it; false when the claim is not the latest. */
  hold(trx: Transaction<Tables>, claim: LeaseClaim): Promise<boolean>;
}

/** Opens the queue of a table. Several processes may do so. */
export function createLeasedQueue<Name extends LeasedTable['name'] & keyof Tables>(
  database: Database,
  leasedTable: LeasedTable & { readonly name: Name },
): LeasedQueue<Selectable<Tables[Name]>> {
  type Row = Selectable<Tables[Name]>;
  const table = { ...leasedTable, joinedTenant: database.joinedTenant };
  const waiting = takeTurns(database, table);
  const aloneTurns = createAloneTurns(table.sharedPerAlone);

  /** Null while the rows of the tenant are locked, or on a server that is away. */
  const claimOf = async (claim: ClaimOfTenant): Promise<readonly Row[] | null> => {
    const claiming = database.writeLease((db) => claimRows<Row>(db, table, claim).execute(db));
    return (await database.unlessBlocked(claiming))?.rows ?? null;
  };
  const claimShare = async (tenant: string, limit: number, time: ClaimTime): Promise<readonly Row[] | null> => {
    waiting.remove(tenant);
    // Also after a failure.
    let mayBeMore = true;
    try {
      const rows = await claimOf({ ...time, tenant, limit, isAlone: false });
      mayBeMore = rows === null || rows.length === limit;
      return rows;
    } finally {
      if (mayBeMore) waiting.add(tenant);
    }
  };
  const claimAlone = async (tenants: readonly string[], time: ClaimTime): Promise<readonly Row[]> => {
    for (const tenant of aloneTurns.inTurn(tenants)) {
      const alone = await claimOf({ ...time, tenant, limit: 1, isAlone: true });
      if (alone !== null && alone.length > 0) {
        aloneTurns.claimedAlone(tenant, time.nowMs);
        return alone;
      }
      waiting.removeAlone(tenant);
    }
    return [];
  };

  return {
    claim: async ({ nowMs, leaseMs, limit, tenant: only, tenantMax = limit, held = new Map<string, number>() }) => {
      const time = { nowMs, leaseMs };
      const listed = only === undefined ? await waiting.list(nowMs) : [{ tenant: only, hasAlone: false }];
      const open = listed
        .map(({ tenant, hasAlone }) => ({ tenant, hasAlone, room: tenantMax - (held.get(tenant) ?? 0) }))
        .filter(({ room }) => room > 0);
      const toClaimAlone = open.flatMap(({ tenant, hasAlone }) => (hasAlone ? tenant : []));

      const heldCount = Array.from(held.values()).reduce((sum, count) => sum + count, 0);
      if (aloneTurns.isDue(nowMs, heldCount)) {
        const alone = await claimAlone(toClaimAlone, time);
        if (alone.length > 0) return alone;
      }
      const together = await claimShares(open, limit, (tenant, share) => claimShare(tenant, share, time));
      aloneTurns.claimedTogether(together.length);
      return together.length > 0 || heldCount > 0 ? together : claimAlone(toClaimAlone, time);
    },
    renew: async (claims, leaseEndMs) => {
      const set = [sql`claimable_at_ms = ${leaseEndMs}`];
      const kept = await ofEachTenant(claims, (tenant, rows) =>
        database.writeLease((db) => updateHeld(db, table, { tenant, rows, set })),
      );
      return kept.flat();
    },
    release: async (claims, { availableAtMs, isAttempt }) => {
      const isTakenBack = countsAttempts(table) && !isAttempt;
      const set = [
        sql`claimable_at_ms = ${availableAtMs}`,
        raiseFence(table),
        ...(isTakenBack ? countClaims(table, -1) : []),
        ...(table.onRelease === undefined ? [] : [table.onRelease]),
      ];
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
  };
}

/** Updates the rows of each tenant, and returns the claims whose rows are among the updated. */
async function ofEachTenant<C extends LeaseClaim>(
  claims: readonly C[],
  update: (tenant: string, rows: readonly LeaseClaim[]) => Promise<ReadonlySet<string>>,
): Promise<readonly C[][]> {
  const byTenant = Map.groupBy(claims, ({ tenant }) => tenant);
  return Promise.all(
    Array.from(byTenant, async ([tenant, own]) => {
      const updated = await update(
        tenant,
        own.map(({ id, fence }) => ({ tenant, id, fence })),
      );
      return own.filter(({ id }) => updated.has(id));
    }),
  );
}
