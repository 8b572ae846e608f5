import { type RawBuilder, sql } from 'kysely';
import type { ArisingWork } from '../engine/changed-tenants.ts';

/**
 * A table whose rows are work for one worker at a time. Each row has the columns `tenant`, `fence`, `claimable_at_ms` (0, or
 * when its lease or the pause after a failure ends) and, where attempts are counted, `attempts`.
 */
export interface LeasedTable {
  readonly name: 'sod_check' | 'sod_report' | 'webhook' | 'tenant_removal' | 'register_head';
  /** The column that tells the rows of a tenant apart; `tenant` where a tenant has one row. */
  readonly id: string;
  /** Which rows of a tenant have work left: qualified columns, and literals, because partial indexes do not match parameters. */
  pending(nowMs: number, tenant: RawBuilder<unknown>): RawBuilder<boolean>;
  /** Selects the tenants that may have such rows, if no index of the table leads from one to the next. */
  waiting?(nowMs: number): RawBuilder<unknown>;
  /** Whether its work cannot end its worker, so that no row is claimed alone. */
  readonly isNeverAlone?: true;
  /** The columns by which the rows of a tenant are claimed, the least first. */
  readonly order: string;
  /** Further assignments of a claim, and of a release. */
  onClaim?(nowMs: number): RawBuilder<unknown>;
  readonly onRelease?: RawBuilder<unknown>;
  /** The commits of a tenant that may give it work. */
  readonly arisesFrom: readonly ArisingWork[];
}

/** The longest lease that a worker may ask for. Pauses after failures are shorter. */
export const LEASE_MS_MAX = 60_000;

/** How much the clocks of workers may differ before one takes what another holds. */
const CLOCK_SKEW_MS_MAX = 10_000;

/** Work that was claimed so often without an end is claimed alone from then on. */
const ALONE_AFTER = sql.lit(1);

export interface ClaimTime {
  readonly nowMs: number;
  readonly leaseMs: number;
}

/** Whether a lease or a pause has ended. One that ends later than the longest lease was written by a clock that was ahead. */
const hasEnded = (endMs: RawBuilder<unknown>, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(${endMs} <= ${nowMs} or ${endMs} > ${nowMs + LEASE_MS_MAX + CLOCK_SKEW_MS_MAX})`;

/** The rows that can be claimed: alone, or together with others. */
export const isClaimable = (
  table: LeasedTable,
  nowMs: number,
  isAlone?: boolean,
  tenant: RawBuilder<unknown> = sql.ref(`${table.name}.tenant`),
): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${table.name}.${name}`);
  const attempts =
    isAlone === undefined || table.isNeverAlone
      ? sql``
      : sql`and ${column('attempts')} ${isAlone ? sql`>` : sql`<=`} ${ALONE_AFTER}`;
  return sql<boolean>`(${table.pending(nowMs, tenant)} ${attempts} and ${hasEnded(column('claimable_at_ms'), nowMs)})`;
};
