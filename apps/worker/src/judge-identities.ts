import {
  type HeldCollector,
  type HeldStretch,
  heldStretches,
  judgeOverTime,
  spanOf,
  type TakeViolation,
  type TimedAccessRef,
} from '@access-admin/domain';
import { eachAssignment, packedIdentity, type ReportIdentity } from '@access-admin/store';
import type { ViolationGatherer } from './gather-violations.ts';
import type { PreparedReport } from './prepare-report.ts';

export interface JudgementDeps {
  readonly collector: HeldCollector;
  readonly gatherer: ViolationGatherer;
  /** The moment of the data, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Looks at one identity after the other. */
export interface Judgement {
  /** Gathers what the report says of an identity. Returns whether the report is about it. */
  look(identity: ReportIdentity): boolean;
  /** Whether some milliseconds of work have been done since it was last true. */
  isPauseDue(): boolean;
}

// Entitlements looked at, and violations found, in some milliseconds.
const WORK_MAX = 50_000;
const VIOLATION_WORK = 25;

export function createJudgement({ judge, concerns }: PreparedReport, deps: JudgementDeps): Judgement {
  const { collector, gatherer, nowMs } = deps;
  let work = 0;
  const takeOf = ({ id, displayName }: ReportIdentity): TakeViolation => {
    let identity: string | null = null;
    return (policy, change, items) => {
      if (judge.isNewOnly && change !== 'new') return;
      identity ??= packedIdentity(id, displayName);
      gatherer.add(policy, change, { identity, items });
      work += VIOLATION_WORK;
    };
  };
  const concernsAny = (refs: readonly TimedAccessRef[]) =>
    concerns === null || refs.some(({ type, id }) => concerns(type, id));
  /** Each stretch is as much work as an identity. */
  const counted = function* (stretches: Iterable<HeldStretch>): Generator<HeldStretch> {
    for (const stretch of stretches) {
      work += stretch.held.length;
      yield stretch;
    }
  };
  const lookOverTime = (identity: ReportIdentity, refs: readonly TimedAccessRef[]): boolean => {
    // What is past concerns nobody.
    if (!concernsAny(refs.filter((ref) => spanOf(ref).endMs > nowMs))) return false;
    const stretches = heldStretches(refs, collector, { nowMs, concerns: concernsAny });
    judgeOverTime(judge, counted(stretches), takeOf(identity));
    return true;
  };
  const look = (identity: ReportIdentity): boolean => {
    let isConcerned = concerns === null;
    collector.begin();
    const timed = eachAssignment(identity.access, (type, text, range) => {
      collector.add(type, text, range);
      if (concerns?.(type, text.slice(range.start, range.end)) === true) isConcerned = true;
    });
    if (timed !== null) return lookOverTime(identity, timed);
    const held = collector.end();
    work += held.length;
    if (isConcerned) judge.judge(held, takeOf(identity));
    return isConcerned;
  };
  const isPauseDue = (): boolean => {
    if (work < WORK_MAX) return false;
    work = 0;
    return true;
  };
  return { look, isPauseDue };
}
