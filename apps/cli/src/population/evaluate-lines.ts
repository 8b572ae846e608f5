import type { Catalogue, SodPolicy } from '@access-admin/domain';
import { createEvaluator, type EvaluationTime, UnknownAccess, type ViolatedPolicy } from '../evaluation/evaluate.ts';
import { type LinePiece, linesOf } from '../files/read-lines.ts';
import type { LoggedViolation } from '../gates/violation-log.ts';
import { isProblem, type ModelIdentity, parseModelLine } from '../model/records.ts';
import type { Problem } from '../output/problem.ts';

/** What the identities of a model are evaluated by. Plain data, which threads can receive. */
export interface Evaluation {
  readonly policies: readonly SodPolicy[];
  /** The policies before a change; null where what exists is asked for. */
  readonly before: readonly SodPolicy[] | null;
  readonly time: EvaluationTime;
}

/** An evaluation of the identities of a file. */
export interface ModelEvaluation extends Evaluation {
  readonly file: string;
  readonly catalogue: Catalogue;
  /** Whether the catalogue is that of the whole file. */
  readonly isWhole: boolean;
}

/** What lines of a model have. */
export interface EvaluatedLines {
  readonly identities: number;
  /** How many of them violate a policy. */
  readonly violating: number;
  /** In the order of the lines. */
  readonly violations: readonly LoggedViolation[];
  readonly problems: readonly Problem[];
  /** False where a record of the catalogue is among them that the evaluation lacks. */
  readonly isOrdered: boolean;
}

/** Evaluates successive lines of a model. */
export type EvaluateLines = (piece: Pick<LinePiece, 'content' | 'first'>) => EvaluatedLines;

/** Compiles policies and a catalogue for the lines of a model. */
export function createLinesEvaluator({
  file,
  catalogue,
  policies,
  before,
  time,
  isWhole,
}: ModelEvaluation): EvaluateLines {
  const later = createEvaluator(policies, catalogue);
  const earlier = before === null ? null : createEvaluator(before, catalogue);
  const violationsOf = ({ id, displayName, access }: ModelIdentity): LoggedViolation[] => {
    const violated = later.violatedBy(access, time);
    const had = earlier?.violatedBy(access, time) ?? violated;
    return changesOf({ identityId: id, displayName }, had, violated);
  };
  return ({ content, first }) => {
    const violations: LoggedViolation[] = [];
    const problems: Problem[] = [];
    let identities = 0;
    let violating = 0;
    let line = first - 1;
    for (const bytes of linesOf(content)) {
      const record = parseModelLine(bytes, { file, line: ++line });
      if (isProblem(record)) problems.push(record);
      else if (record.kind === 'identity') {
        identities++;
        try {
          const found = violationsOf(record);
          if (found.length > 0) violating++;
          for (const violation of found) violations.push(violation);
        } catch (error) {
          if (!(error instanceof UnknownAccess)) throw error;
          problems.push({ at: { file, line, column: 1 }, text: error.message });
        }
      } else if (record.kind !== 'other' && !isWhole)
        return { identities, violating, violations, problems, isOrdered: false };
    }
    return { identities, violating, violations, problems, isOrdered: true };
  };
}

function changesOf(
  who: Pick<LoggedViolation, 'identityId' | 'displayName'>,
  earlier: readonly ViolatedPolicy[],
  later: readonly ViolatedPolicy[],
): LoggedViolation[] {
  if (earlier.length + later.length === 0) return [];
  const had = new Set(earlier.map(({ policy }) => policy.id));
  const has = new Set(later.map(({ policy }) => policy.id));
  const logged = (change: LoggedViolation['change'], { policy, conflictingAccessCriteria }: ViolatedPolicy) => ({
    change,
    ...who,
    policyId: policy.id,
    policyName: policy.name,
    level: policy.level,
    conflictingAccessCriteria,
  });
  return [
    ...later.map((violated) => logged(had.has(violated.policy.id) ? 'same' : 'new', violated)),
    ...earlier.filter(({ policy }) => !has.has(policy.id)).map((violated) => logged('gone', violated)),
  ];
}
