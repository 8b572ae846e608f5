import {
  type AccessRefTable,
  createScanEvaluator,
  enforcedPlaces,
  type FixPlanRequest,
  policyAt,
  type ReportEvaluator,
  type SodIndex,
  timedAssignmentsOf,
} from '@access-admin/domain';
import { unpackAccess } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import { evaluateShard, type ReportData } from './evaluate-shard.ts';
import { holderOf, type Shard } from './shard.ts';

/** An identity with violations to end. */
export interface Violator {
  readonly identityId: string;
  readonly displayName: string | null;
  /** The policies by their numbers, each with the items held, as report lines have them. */
  readonly violations: { readonly policy: number; readonly items: readonly number[] }[];
  /** What it holds at the moment of the plan, by the numbers of the population. */
  readonly refs: Set<number>;
}

/** The evaluation of the policies that a plan is about. */
export function evaluatorOf(index: SodIndex, { levels, policyIds }: FixPlanRequest): ReportEvaluator {
  const evaluator = createScanEvaluator(index);
  const places = enforcedPlaces(index);
  const ids = policyIds === null ? null : new Set(policyIds);
  const isAsked = (policy: number) => {
    const place = places[policy];
    if (place === undefined) return false;
    const { id, level } = policyAt(place);
    return (levels === null || levels.includes(level)) && (ids === null || ids.has(id));
  };
  return { ...evaluator, policies: evaluator.policies.filter(isAsked) };
}

/** What the violators of a shard are found in. */
export interface ViolatorSearch {
  readonly shard: Shard;
  readonly evaluator: ReportEvaluator;
  readonly data: ReportData;
  /** Null for all identities. */
  readonly identityIds: ReadonlySet<string> | null;
  readonly pause: Pause;
}

/** Finds the identities of a shard that have violations which no exception covers, in order of their ids, with what they hold. */
export async function findViolators(search: ViolatorSearch): Promise<readonly Violator[]> {
  const { shard, evaluator, data, identityIds, pause } = search;
  const found = new Map<string, Violator>();
  const prepared = { evaluator, affectedRefs: null };
  await evaluateShard({
    shard,
    prepared,
    data,
    pause,
    emit: (policy, { identityId, displayName, items, exception }) => {
      if (exception !== null || identityIds?.has(identityId) === false) return;
      const violator = found.get(identityId) ?? { identityId, displayName, violations: [], refs: new Set() };
      found.set(identityId, violator);
      violator.violations.push({ policy, items });
    },
  });
  await readRefs(shard, found, { table: data.population.refs, atMs: data.nowMs, pause });
  return [...found.values()].sort((one, other) => (one.identityId < other.identityId ? -1 : 1));
}

const REFS_AT_ONCE = 1_000;

async function readRefs(
  shard: Shard,
  found: ReadonlyMap<string, Violator>,
  { table, atMs, pause }: { readonly table: AccessRefTable; readonly atMs: number; readonly pause: Pause },
): Promise<void> {
  const byHolder: (Violator | undefined)[] = [];
  for (const [id, violator] of found) {
    const identity = shard.reevaluated.get(id);
    if (identity === undefined) byHolder[holderOf(shard, id)] = violator;
    else
      for (const { ref } of timedAssignmentsOf(unpackAccess(identity.access), table, { fromMs: atMs, isInstant: true }))
        violator.refs.add(ref);
    await pause();
  }
  if (byHolder.length === 0) return;
  const { starts, values } = shard.holdings.holders;
  for (let ref = 0; ref < starts.length - 1; ref++) {
    const end = starts[ref + 1] ?? 0;
    for (let at = starts[ref] ?? 0; at < end; at++) byHolder[values[at] ?? 0]?.refs.add(ref);
    if (ref % REFS_AT_ONCE === 0) await pause();
  }
}
