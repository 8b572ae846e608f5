import { expandAccess } from '../evaluation/expand-access.ts';
import { findViolations } from '../evaluation/find-violations.ts';
import { type FoundViolations, releaseViolations } from '../evaluation/found-violations.ts';
import { type Holder, settleQuestion } from '../evaluation/question.ts';
import { validateInstants } from '../evaluation/validate-instants.ts';
import { policyAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { utf8Length } from '../steps/utf8-length.ts';
import { finishedSteps, isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { accessStatesOf } from './access-states.ts';
import {
  type Basis,
  CHECK_CONTEXTS_MAX,
  CHECK_RESULT_BYTES_MAX,
  type IdentityWithNewAccess,
  type SodInclude,
} from './check.ts';
import type { ExceptionCoverage } from './covered-policies.ts';
import { remediate } from './remediation.ts';
import { type Explanation, writeExplainedViolations, writeViolations } from './write-violations.ts';

/** How a check ended: its final state, and its result, a `SodCheckResult` as JSON text. */
export interface CheckOutcome {
  readonly state: 'SUCCESS' | 'ERROR';
  readonly result: string;
}

/** The data that a check is concluded on. */
export interface CheckBasis extends Holder {
  readonly index: SodIndex;
  readonly check: IdentityWithNewAccess;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly includes: readonly SodInclude[];
  readonly budget: WorkBudget;
}

/** A check whose violations are found but not yet written. */
export interface FoundCheck {
  /** The policies whose violations can be in the result: the first ones in order of their ids. */
  readonly policyIds: readonly string[];
  /** Writes the result, in steps. */
  conclude(evidence: CheckEvidence): Steps<CheckOutcome>;
}

/** What the result of a check shows beside its violations. */
export interface CheckEvidence {
  readonly basis: Basis;
  readonly coverage: ExceptionCoverage | null;
  /** Null where nothing is to be explained. */
  readonly explanation: Explanation | null;
}

/** The bounds of a result; tests set lower ones. */
export interface ResultBounds {
  readonly contextsMax: number;
  readonly bytesMax: number;
}

const BOUNDS: ResultBounds = { contextsMax: CHECK_CONTEXTS_MAX, bytesMax: CHECK_RESULT_BYTES_MAX };

/**
 * Finds what a check is to tell, in steps. It concludes as `SUCCESS` with the violations of a prediction, or as `ERROR` when
 * access refs or the identity (`held` null) have been deleted since it was accepted, when its optional parts now concern too
 * many instants, or when the result is too large.
 */
export function* findCheck(checkBasis: CheckBasis, bounds: ResultBounds = BOUNDS): Steps<FoundCheck> {
  const { index, held, timed, check, nowMs, includes, budget } = checkBasis;
  const { accessRefs, at } = check;
  const request = { accessRefs, at, nowMs };
  const question = settleQuestion(index, { held, timed }, request);
  if (!question.ok) return foundError(check, missingMessage(index, check));
  const few = validateInstants(timed, request, includes);
  if (!few.ok) return foundError(check, `${few.failure.causes.map(({ at, text }) => `${at}: ${text}`).join(', ')}.`);
  const found = yield* findViolations(index, question.value, { budget, keepsRuns: includes.includes('via') });
  const policyIds: string[] = [];
  for (const number of found.policies.slice(0, bounds.contextsMax)) {
    policyIds.push(policyAt(policyPlaceAt(index, number)).policy.id);
    if (isPauseDue(budget, 1)) yield;
  }
  return { policyIds, conclude: (evidence) => writeResult(checkBasis, found, { ...evidence, bounds }) };
}

const foundError = (check: IdentityWithNewAccess, message: string): FoundCheck => ({
  policyIds: [],
  conclude: ({ basis }) => finishedSteps(concludeWithError(check, message, basis)),
});

function missingMessage(index: SodIndex, { identityId, accessRefs }: IdentityWithNewAccess): string {
  const refs = expandAccess(index, accessRefs).unresolved.map(({ type, id }) => `${type} ${id}`);
  if (refs.length === 0) return `The identity ${identityId} does not exist any more.`;
  return `Requested access does not exist any more: ${refs.join(', ')}.`;
}

interface ResultParts extends CheckEvidence {
  readonly bounds: ResultBounds;
}

function* writeResult(checkBasis: CheckBasis, found: FoundViolations, parts: ResultParts): Steps<CheckOutcome> {
  const { index, check, includes, budget } = checkBasis;
  const { basis, coverage, explanation, bounds } = parts;
  // The names and the remediation come after the contexts, which have the room that these leave.
  const policies = yield* violatedPoliciesJson(index, found, { budget, bytesMax: bounds.bytesMax });
  const remediation = includes.includes('remediation') ? yield* remediationJson(checkBasis, explanation) : '';
  const start = `{"message":null,"clientMetadata":${JSON.stringify(check.clientMetadata)},"violationContexts":`;
  const end = `${remediation}${basisJson(basis)}`;
  const count = found.policies.length;
  const taken = utf8Length(start) + utf8Length(end) + countsJson(count, count).length + PUNCTUATION;
  const bytes = policies === null ? -1 : bounds.bytesMax - taken - utf8Length(policies);
  if (policies === null || bytes < 0) {
    releaseViolations(found);
    return concludeWithError(check, tooManyMessage(count, bounds), basis);
  }
  const sink = { text: start };
  const writing = { sink, budget, coverage, room: { contexts: bounds.contextsMax, bytes } };
  const written =
    explanation !== null && includes.includes('via')
      ? yield* writeExplainedViolations(index, found, { ...writing, explanation })
      : yield* writeViolations(index, found, writing);
  return { state: 'SUCCESS', result: `${sink.text}${policies}${countsJson(count, count - written)}${end}` };
}

// The brackets of the array of contexts.
const PUNCTUATION = 2;

const countsJson = (violationCount: number, omitted: number): string =>
  `,"violationCount":${violationCount},"omitted":${omitted}`;

const basisJson = ({ policySetVersion, asOf }: Basis): string =>
  `,"policySetVersion":${policySetVersion},"asOf":${JSON.stringify(asOf)}}`;

const tooManyMessage = (count: number, { bytesMax }: ResultBounds): string =>
  `The result is too large: what it says about ${count} violated policies, beside their violations, takes more than ${bytesMax} bytes.`;

/** The names of all violated policies; null if they alone take more bytes than the result may have. */
function* violatedPoliciesJson(
  index: SodIndex,
  found: FoundViolations,
  { budget, bytesMax }: { readonly budget: WorkBudget; readonly bytesMax: number },
): Steps<string | null> {
  let json = ',"violatedPolicies":[';
  for (const [place, number] of found.policies.entries()) {
    const { type, id, name } = policyAt(policyPlaceAt(index, number)).policy;
    json += `${place === 0 ? '' : ','}${JSON.stringify({ type, id, name })}`;
    if (json.length > bytesMax) return null;
    if (isPauseDue(budget, NAME_WORK)) yield;
  }
  return `${json}]`;
}

// The work units of writing the name of a policy.
const NAME_WORK = 2;

function* remediationJson({ index, check, nowMs, budget }: CheckBasis, explanation: Explanation | null): Steps<string> {
  // Without a violation there is no explanation.
  const accessStates = explanation === null ? [] : accessStatesOf(explanation, { at: check.at, nowMs });
  return `,"remediation":${JSON.stringify(yield* remediate(index, accessStates, budget))}`;
}

/** Concludes a check without a verdict; `message` gives the caller the reason. */
export function concludeWithError(
  { clientMetadata }: Pick<IdentityWithNewAccess, 'clientMetadata'>,
  message: string,
  basis: Basis | null = null,
): CheckOutcome {
  const counts = { violationContexts: [], violatedPolicies: [], violationCount: 0, omitted: 0 };
  return { state: 'ERROR', result: JSON.stringify({ message, clientMetadata, ...counts, ...basis }) };
}
