import { type RawBuilder, sql } from 'kysely';

/** The longest lease that a worker may ask for, of a check or a report. */
export const LEASE_MS_MAX = 3_600_000;

/** The longest delay of a check or report that a worker releases after a failure. */
const RETRY_DELAY_MS_MAX = 10_000;

// Workers may have leases of different lengths, also those of the version before: none may take what another one holds.
const LEASE_MS_USUAL = 30_000;

/**
 * The latest time that a lease or a delay may end at. A later `claimable_at_ms` was written by a clock that was ahead, and
 * its row counts as claimable now.
 */
const latestClaimableAtMs = (nowMs: number, leaseMs: number): number =>
  nowMs + Math.max(leaseMs, LEASE_MS_USUAL) + RETRY_DELAY_MS_MAX;

/** Which rows can be claimed at a time: those whose lease or delay has ended. */
export const isClaimable = (nowMs: number, leaseMs: number): RawBuilder<boolean> =>
  sql<boolean>`(claimable_at_ms <= ${nowMs} or claimable_at_ms > ${latestClaimableAtMs(nowMs, leaseMs)})`;

/**
 * Which rows are under no lease at a time, by the column of its end. A lease that ends later than leases do was written by
 * a clock that was ahead, and counts as ended.
 */
export const isLeaseEnded = (
  endMs: 'lease_end_ms' | 'register_head.lease_end_ms',
  { nowMs, leaseMs }: { readonly nowMs: number; readonly leaseMs: number },
): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(endMs)} <= ${nowMs} or ${sql.ref(endMs)} > ${nowMs + Math.max(leaseMs, LEASE_MS_USUAL)})`;
