import { intervalOf } from '../access/model/interval.ts';
import type { TimedAccessRef } from '../access/model/records.ts';
import {
  entitlementsOf,
  hasEntitlement,
  intervalsOf,
  type PendingAccess,
  type SodIndex,
  type Violation,
} from '../sod/index.ts';
import { meetsRuns } from './path-origins.ts';

/** Access that a live reservation keeps for an identity. */
export interface PendingReservation extends PendingAccess {
  readonly id: string;
  /** What its maker calls it; null for nothing. */
  readonly reference: string | null;
}

/** A reservation by which an item would come. */
export interface PendingRef {
  readonly reservationId: string;
  readonly reference: string | null;
}

/** Names the reservations by which alone an item of a violation comes, in their order: none for an item that is requested as well. */
export type NamePending = (violation: Violation, itemId: string) => readonly PendingRef[];

interface PendingQuestion {
  readonly accessRefs: readonly TimedAccessRef[];
  readonly pending: readonly PendingReservation[];
}

/** Names reservations for the violations of a question, which have their `runs`. `starts` are the beginnings of their intervals. */
export function createNamePending(
  { catalogue }: SodIndex,
  { accessRefs, pending }: PendingQuestion,
  starts: ArrayLike<number>,
): NamePending {
  const grantsOf = (by: PendingRef | null, refs: readonly TimedAccessRef[]) =>
    refs.map((ref) => ({
      by,
      entitlements: entitlementsOf(catalogue, ref) ?? [],
      during: intervalsOf(starts, intervalOf(ref)),
    }));
  const grants = [
    ...grantsOf(null, accessRefs),
    ...pending.flatMap(({ id, reference, accessRefs: refs }) => grantsOf({ reservationId: id, reference }, refs)),
  ];
  // Many violations have the same items.
  const byItem = new Map<string, typeof grants>();
  return ({ runs }, itemId) => {
    const number = catalogue.numbers.get(itemId) ?? -1;
    const ofItem = byItem.get(itemId) ?? grants.filter(({ entitlements }) => hasEntitlement(entitlements, number));
    byItem.set(itemId, ofItem);
    const by = new Set(ofItem.filter(({ during }) => meetsRuns(during, runs)).map((grant) => grant.by));
    return by.has(null) ? [] : [...by].filter((ref) => ref !== null);
  };
}
