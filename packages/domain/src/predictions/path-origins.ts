import { hasWindow, type Interval, intervalOf } from '../access/model/interval.ts';
import type { AccessRef, TimedAccessRef } from '../access/model/records.ts';
import { compareTexts } from '../basics/order/compare-texts.ts';
import { intervalsOf } from '../sod/index.ts';

/** Whether an entitlement comes from an assignment or from the request. */
export type AccessSource = 'ASSIGNED' | 'REQUESTED';

/** The account that an assignment comes from. */
export interface AssigningAccount {
  readonly type: 'ACCOUNT';
  /** Its key. */
  readonly id: string;
  readonly name: string;
  readonly source: string;
}

/** An assignment; without an account it is of the identity's own record. */
export interface AssignedRef extends TimedAccessRef {
  readonly account?: AssigningAccount;
}

/** An access ref from which paths begin, once for each source, with all its windows. */
export interface PathOrigin {
  /** Its place in the order of paths: by id, then source, then type, then account. */
  readonly number: number;
  readonly source: AccessSource;
  readonly ref: AccessRef;
  /** Null for an assignment of the identity's own record, and for a requested ref. */
  readonly account: AssigningAccount | null;
}

/** For each origin, by number, whether it contributes to a violation; null where all of them contribute. */
export type ContributingOrigins = readonly boolean[] | null;

/** All origins of an access graph. */
export interface PathOrigins {
  readonly origins: readonly PathOrigin[];
  /** The origins that hold in any of these intervals: the runs of a `Violation`. Equal intervals share one array. */
  contributingIn(runs: readonly number[]): ContributingOrigins;
}

interface GatheredOrigin extends Omit<PathOrigin, 'number'> {
  readonly intervals: Interval[];
}

interface GraphRefs {
  readonly assignments: readonly AssignedRef[];
  /** Requested before; none if left out. */
  readonly pending?: readonly TimedAccessRef[];
  readonly requested: readonly TimedAccessRef[];
}

/** Gathers the origins of paths; `starts` are the beginnings of the intervals of the prediction. */
export function gatherOrigins(
  { assignments, pending = [], requested }: GraphRefs,
  starts: ArrayLike<number>,
): PathOrigins {
  const gathered = new Map<string, GatheredOrigin>();
  let isTimed = false;
  const add = (source: AccessSource, refs: readonly AssignedRef[]) => {
    for (const ref of refs) {
      const { type, id, account = null } = ref;
      const key = `${source} ${type} ${id} ${account?.id ?? ''}`;
      const known = gathered.get(key);
      if (known === undefined) gathered.set(key, { source, ref: { type, id }, account, intervals: [intervalOf(ref)] });
      else known.intervals.push(intervalOf(ref));
      isTimed ||= hasWindow(ref);
    }
  };
  add('ASSIGNED', assignments);
  add('REQUESTED', pending);
  add('REQUESTED', requested);
  const sorted = [...gathered.values()].sort(
    (a, b) =>
      compareTexts(a.ref.id, b.ref.id) ||
      compareTexts(a.source, b.source) ||
      compareTexts(a.ref.type, b.ref.type) ||
      compareTexts(a.account?.id ?? '', b.account?.id ?? ''),
  );
  return {
    origins: sorted.map(({ source, ref, account }, number) => ({ number, source, ref, account })),
    contributingIn: isTimed ? createContributions(sorted, starts) : () => null,
  };
}

// Violations that begin and end together share their contributions: the latest ones are kept.
const KEPT_MAX = 64;

function createContributions(
  origins: readonly GatheredOrigin[],
  starts: ArrayLike<number>,
): PathOrigins['contributingIn'] {
  const kept = new Map<string, readonly boolean[]>();
  return (runs) => {
    const key = runs.join();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const contributing = origins.map(({ intervals }) =>
      intervals.some((interval) => meetsRuns(intervalsOf(starts, interval), runs)),
    );
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, contributing);
    return contributing;
  };
}

/** Whether intervals have one in common with the runs of a violation. */
export function meetsRuns({ from, end }: ReturnType<typeof intervalsOf>, runs: readonly number[]): boolean {
  for (let at = 0; at < runs.length; at += 2) {
    if (Math.max(from, runs[at] ?? 0) < Math.min(end, runs[at + 1] ?? 0)) return true;
  }
  return false;
}
