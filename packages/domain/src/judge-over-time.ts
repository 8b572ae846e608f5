import type { TimedAccessRef } from './access-model.ts';
import { startsOf } from './access-over-time.ts';
import { hasWindow, isWithin, spanOf } from './access-window.ts';
import type { HeldCollector } from './collect-held.ts';
import type { ReportJudge, TakeViolation } from './judge-report.ts';
import type { SodReportChange } from './sod-report.ts';

/** What an identity holds in a stretch of time, and whether the report is about it then. */
export interface HeldStretch {
  readonly held: Uint32Array;
  readonly isConcerned: boolean;
}

/** What assignments come to from `nowMs` (since 1970) on, in stretches in which nothing changes; `held` is valid until the next one. */
export function* heldStretches(
  assignments: readonly TimedAccessRef[],
  collector: HeldCollector,
  { nowMs, concerns }: { readonly nowMs: number; readonly concerns: (holding: readonly TimedAccessRef[]) => boolean },
): Generator<HeldStretch> {
  const spans = assignments.map(spanOf);
  const windows = spans.filter((_, place) => hasWindow(assignments[place] ?? {}));
  for (const ms of startsOf(windows, nowMs)) {
    const holding = assignments.filter((_, place) => isWithin(spans[place] ?? NEVER, ms));
    collector.begin();
    for (const { type, id } of holding) collector.add(type, id, { start: 0, end: id.length });
    yield { held: collector.end(), isConcerned: concerns(holding) };
  }
}

const NEVER = { startMs: 0, endMs: 0 };

/** What is known of a violation: its items by place, before a change and after it, each as the first stretch shows it. */
interface Sighting {
  readonly before: Map<number, number>;
  readonly after: Map<number, number>;
}

/**
 * Judges an identity whose access changes with time: there is a violation where any stretch sees it, with the items of all
 * that do. The stretches are gone through once, each of them judged before the next one is asked for.
 */
export function judgeOverTime(judge: ReportJudge, stretches: Iterable<HeldStretch>, take: TakeViolation): void {
  const sightings = new Map<number, Sighting>();
  for (const { held, isConcerned } of stretches) {
    const see: TakeViolation = (policy, change, items) => {
      const sighting = sightings.get(policy) ?? { before: new Map(), after: new Map() };
      sightings.set(policy, sighting);
      if (change !== 'new') gather(sighting.before, items);
      if (change !== 'gone') gather(sighting.after, items);
    };
    judge.judge(held, see, isConcerned);
  }
  for (const [policy, { before, after }] of sightings) {
    const change = changeOf(before.size > 0, after.size > 0);
    const items = [...(change === 'gone' ? before : after)].sort(([left], [right]) => left - right);
    take(
      policy,
      change,
      items.map(([, item]) => item),
    );
  }
}

function gather(seen: Map<number, number>, items: readonly number[]): void {
  for (const item of items) if (!seen.has(item >>> 1)) seen.set(item >>> 1, item);
}

const changeOf = (isBefore: boolean, isAfter: boolean): SodReportChange =>
  isBefore && isAfter ? 'same' : isAfter ? 'new' : 'gone';
