import { countAllEntries, findAtOnce } from '../evaluation/find-at-once.ts';
import { findViolations } from '../evaluation/find-violations.ts';
import { type FoundViolations, releaseViolations, runsAt, startsOf } from '../evaluation/found-violations.ts';
import {
  type AccessRequest,
  type Holder,
  type Question,
  type QuestionFailure,
  settleQuestion,
} from '../evaluation/question.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget, runToEnd } from '../steps/work-budget.ts';
import { linkAccess } from './explain-access.ts';
import { gatherOrigins } from './path-origins.ts';
import { explainViolation, itemIdsOf, type ViolationContext, violationAt } from './violation-context.ts';
import type { Explanation } from './write-violations.ts';

/** The violations that granting the requested access would cause, and the same with their reasons. */
export interface Prediction {
  /** Sorted by policy id in code-unit order. */
  readonly violationContexts: readonly ViolationContext[];
  explain(explanation: Explanation): readonly ViolationContext[];
}

/** Predicts without pauses. Fails with a cause for each unresolved access ref, else for the identity. */
export function predict(index: SodIndex, holder: Holder, request: AccessRequest): Result<Prediction, QuestionFailure> {
  const question = settleQuestion(index, holder, request);
  return question.ok ? ok(answer(index, question.value)) : question;
}

/** The same for entitlements, held and requested, as numbers of the index (see `expandAccess`); both arrays stay as they are. */
export const predictViolations = (
  index: SodIndex,
  held: Uint32Array,
  requested: Uint32Array,
): readonly ViolationContext[] =>
  countAllEntries(index, requested) === 0
    ? []
    : presentContexts(index, find(index, { kind: 'instant', ms: 0, held, parts: [requested] }));

const NONE: Prediction = { violationContexts: [], explain: () => [] };

function answer(index: SodIndex, question: Question): Prediction {
  const found = find(index, question);
  const violationContexts = presentContexts(index, found);
  if (violationContexts.length === 0) return NONE;
  return {
    violationContexts,
    explain: (explanation) => {
      const budget = createWorkBudget();
      const origins = runToEnd(gatherOrigins(explanation, startsOf(found), budget));
      const items = new Set(violationContexts.flatMap(itemIdsOf));
      const { reasonFor } = runToEnd(linkAccess({ graph: explanation, origins, budget }, items));
      return violationContexts.map((context, place) => {
        const contributing = runToEnd(origins.contributingIn(runsAt(found, place)));
        return explainViolation(context, explanation.advice, (id) => runToEnd(reasonFor(id, contributing)));
      });
    },
  };
}

function find(index: SodIndex, question: Question): FoundViolations {
  const atOnce = question.kind === 'instant' ? findAtOnce(index, question) : null;
  return atOnce ?? runToEnd(findViolations(index, question, { budget: createWorkBudget(), keepsRuns: true }));
}

function presentContexts(index: SodIndex, found: FoundViolations): readonly ViolationContext[] {
  const contexts: ViolationContext[] = [];
  for (let place = 0; place < found.policies.length; place++) contexts.push(violationAt(index, found, place));
  releaseViolations(found);
  return contexts;
}
