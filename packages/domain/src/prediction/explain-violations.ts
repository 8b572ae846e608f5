import type { AccessRef } from '../access-model/records.ts';
import type { MarkedAccess } from '../evaluation/marked-access.ts';
import { resolveRequest } from '../evaluation/resolve-request.ts';
import type { NotFound, ReferenceNotFound } from '../result/failure.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget, inPieces } from '../steps/work-budget.ts';
import { type CoveredPolicies, coverViolations } from './covered-policies.ts';
import {
  type AccessGraph,
  explainAccess,
  explainAccessInSteps,
  type PathOrigin,
  type ReasonFor,
} from './explain-access.ts';
import { writeViolationsInSteps } from './predict-json-in-steps.ts';
import {
  type PolicyAdvice,
  type ViolationContext,
  type ViolationItem,
  type ViolationSide,
  violationAt,
} from './violation-context.ts';

/** What explains violations, all as of the moment of the prediction. */
export interface Explanation extends AccessGraph {
  /** Of the violated policies, by id. */
  readonly advice: ReadonlyMap<string, PolicyAdvice>;
}

/** Violations that have been found, with their items' reasons and their policies' advice. */
export function explainViolations(
  contexts: readonly ViolationContext[],
  explanation: Explanation,
): readonly ViolationContext[] {
  const reasonFor = explainAccess(explanation, new Set(contexts.flatMap(itemIdsOf)));
  return contexts.map((context) => explainViolation(context, explanation, reasonFor));
}

/** A prediction that is to be explained, however large it is: found first, then written, both in steps of little work. */
export interface PredictionToExplain {
  /** Finds the violations; to be gone through once, before the rest. What it gives is nothing but pauses. */
  readonly search: Iterable<string>;
  /** The policies that are violated. */
  readonly policyIds: readonly string[];
  /** The JSON text of the violations, an array, with what covers them, and what explains them unless it is null; in pieces, the empty ones pauses. */
  write(explanation: Explanation | null, covered: CoveredPolicies | null): Generator<string>;
}

// The work of a fraction of a millisecond: so many sides judged, or violations made, or a part of that.
const STEP_WORK = 128;
const LIGHT = 16;
const STEP_CHARACTERS = 16_384;

/** What `predict` answers, to be explained; and its failures. */
export function predictToExplain(
  index: SodIndex,
  held: Uint32Array | null,
  accessRefs: readonly AccessRef[],
): Result<PredictionToExplain, ReferenceNotFound | NotFound> {
  const request = resolveRequest(index, held, accessRefs);
  if (!request.ok) return request;
  const violated: { readonly number: number; readonly access: MarkedAccess }[] = [];
  const policyIds: string[] = [];
  const items = new Set<string>();
  const gather = (_: SodIndex, number: number, access: MarkedAccess) => {
    const context = violationAt(index, number, access);
    for (const id of itemIdsOf(context)) items.add(id);
    policyIds.push(context.policy.id);
    violated.push({ number, access });
    return '';
  };
  return ok({
    search: writeViolationsInSteps(index, request.value, { stepWork: STEP_WORK, write: gather }),
    policyIds,
    write: (explanation, covered) => {
      const contexts = function* () {
        for (const { number, access } of violated) yield { context: violationAt(index, number, access) };
      };
      return writeExplained({ explanation, covered, items }, contexts());
    },
  });
}

/** A violation that is to be explained, by the paths with such an origin alone where that is said. */
export interface ViolationToExplain {
  readonly context: ViolationContext;
  readonly takesPart?: (origin: PathOrigin) => boolean;
}

interface ToWrite {
  readonly explanation: Explanation | null;
  readonly covered: CoveredPolicies | null;
  readonly items: ReadonlySet<string>;
}

/** The JSON text of violations, an array, with what covers them, and what explains them unless it is null, in pieces; these are all the items of them. */
export function* writeExplained(
  { explanation, covered, items }: ToWrite,
  violations: Iterable<ViolationToExplain>,
): Generator<string> {
  const explain = explanation === null ? null : yield* explainInSteps(explanation, items);
  let json = '[';
  let separator = '';
  for (const violation of violations) {
    const context = explain === null ? violation.context : explain(violation);
    const [shown] = coverViolations([context], covered);
    json += separator + JSON.stringify(shown);
    separator = ',';
    if (json.length < STEP_CHARACTERS) continue;
    yield json;
    json = '';
  }
  yield `${json}]`;
}

function* explainInSteps(
  explanation: Explanation,
  items: ReadonlySet<string>,
): Generator<string, (violation: ViolationToExplain) => ViolationContext> {
  const budget = createWorkBudget(STEP_WORK * LIGHT);
  const reasonFor = yield* inPieces(explainAccessInSteps(explanation, items, budget));
  return ({ context, takesPart }) => explainViolation(context, explanation, (id) => reasonFor(id, takesPart));
}

const NO_ADVICE: PolicyAdvice = { correctionAdvice: null, compensatingControls: null };

/** A violation with these reasons and the advice of its policy. */
export function explainViolation(
  { policy, preexisting, conflictingAccessCriteria: conflict }: ViolationContext,
  { advice }: Explanation,
  reasonFor: ReasonFor,
): ViolationContext {
  const explainItem = (item: ViolationItem): ViolationItem => ({ ...item, ...reasonFor(item.id) });
  const explainSide = <S extends ViolationSide>(side: S): S => ({
    ...side,
    criteriaList: side.criteriaList.map(explainItem),
  });
  const { correctionAdvice, compensatingControls } = advice.get(policy.id) ?? NO_ADVICE;
  const conflictingAccessCriteria =
    'criteria' in conflict
      ? { criteria: conflict.criteria.map(explainSide), atLeast: conflict.atLeast }
      : { leftCriteria: explainSide(conflict.leftCriteria), rightCriteria: explainSide(conflict.rightCriteria) };
  return { policy, preexisting, conflictingAccessCriteria, correctionAdvice, compensatingControls };
}

/** The items of a violation by their ids. */
export function itemIdsOf({ conflictingAccessCriteria: conflict }: ViolationContext): readonly string[] {
  const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
  return sides.flatMap(({ criteriaList }) => criteriaList.map(({ id }) => id));
}
