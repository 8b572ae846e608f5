import { type RawBuilder, sql } from 'kysely';
import type { ArisingWork } from '../engine/commits.ts';

/**
 * A table whose rows are work for one worker at a time. Each row has the columns `tenant`, `fence`, `claimable_at_ms` (0, or
 * when its lease or the pause after a failure ends) and, where attempts are counted, `attempts`.
 */
export interface LeasedTable {
  readonly name:
    | 'audit_stream'
    | 'identity_erasure'
    | 'mail'
    | 'sod_check'
    | 'sod_report'
    | 'source_load'
    | 'webhook'
    | 'tenant_removal'
    | 'register_head';
  /** The column that identifies a row within its tenant; `tenant` where a tenant has one row. */
  readonly id: string;
  /** Which rows of a tenant have work left: qualified columns, and literals, because partial indexes do not match parameters. */
  pending(nowMs: number, tenant: RawBuilder<unknown>): RawBuilder<boolean>;
  /** Selects the tenants that may have such rows, if no index of the table leads from one to the next. */
  waiting?(nowMs: number): RawBuilder<unknown>;
  /**
   * After how many ended rows that were claimed together one is claimed alone, while both kinds wait. Null where work cannot end
   * its worker, as `countsAttempts` says.
   */
  readonly sharedPerAlone: number | null;
  /**
   * The column with 1 for rows that were claimed twice, where an index finds them. Each claim changes `attempts`: if an index
   * depended on them, PostgreSQL would write an entry in every index of the table for each claim.
   */
  readonly claimedTwice?: string;
  /** The columns by which the rows of a tenant are claimed, the least first. */
  readonly order: string;
  /** Further assignments of a claim, and of a release. */
  readonly onClaim?: RawBuilder<unknown>;
  readonly onRelease?: RawBuilder<unknown>;
  /** The commits of a tenant that may give it work. */
  readonly arisesFrom: readonly ArisingWork[];
}

/** Whether the claims of each row are counted. Work that was claimed twice without an end is claimed alone then. */
export const countsAttempts = ({ sharedPerAlone }: LeasedTable): boolean => sharedPerAlone !== null;

/** When a claim is made, and for how long. */
export interface ClaimTime {
  readonly nowMs: number;
  readonly leaseMs: number;
}

/** The longest lease that a worker may ask for. Pauses after failures are shorter. */
export const LEASE_MS_MAX = 60_000;

/** How much the clocks of workers may differ before one takes what another holds. */
const CLOCK_SKEW_MS_MAX = 10_000;

/** Whether a lease or a pause has ended. One that ends later than the longest lease was written by a clock that was ahead. */
const hasEnded = (endMs: RawBuilder<unknown>, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(${endMs} <= ${nowMs} or ${endMs} > ${nowMs + LEASE_MS_MAX + CLOCK_SKEW_MS_MAX})`;

interface ClaimableOptions {
  /** Only rows that are claimed alone, or only those that are claimed together; both if left out. */
  readonly isAlone?: boolean;
  readonly tenant?: RawBuilder<unknown>;
}

/** The rows that can be claimed. */
export function isClaimable(
  table: LeasedTable,
  nowMs: number,
  { isAlone, tenant = sql.ref(`${table.name}.tenant`) }: ClaimableOptions = {},
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table.name}.${name}`);
  const isOfKind =
    isAlone === undefined || !countsAttempts(table) ? sql`` : sql`and ${wasClaimedTwice(table, isAlone)}`;
  return sql<boolean>`(${table.pending(nowMs, tenant)} ${isOfKind} and ${hasEnded(column('claimable_at_ms'), nowMs)})`;
}

// Literals, because partial indexes do not match parameters.
const wasClaimedTwice = ({ name, claimedTwice }: LeasedTable, was: boolean): RawBuilder<boolean> =>
  claimedTwice === undefined
    ? sql<boolean>`${sql.ref(`${name}.attempts`)} ${sql.raw(was ? '> 1' : '<= 1')}`
    : sql<boolean>`${sql.ref(`${name}.${claimedTwice}`)} = ${sql.lit(was ? 1 : 0)}`;
