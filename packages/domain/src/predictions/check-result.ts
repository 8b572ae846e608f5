import { utf8Length } from '../basics/result/utf8-length.ts';
import { expandAccess, type SodIndex } from '../sod/index.ts';
import { basisMembers, type FoundPrediction, type PredictionParts, policyRefsJson } from './answer-json.ts';
import {
  type Basis,
  CHECK_CONTEXTS_MAX,
  CHECK_RESULT_BYTES_MAX,
  EVENT_CONTEXTS_MAX,
  type IdentityWithNewAccess,
  type SodCheck,
} from './check.ts';
import { contextJson, createExplain, type Explanation } from './context-json.ts';
import type { predict } from './predict.ts';

/** How a check ended: its final state, and its result, a `SodCheckResult` as JSON text. */
export interface CheckOutcome {
  readonly state: 'SUCCESS' | 'ERROR';
  readonly result: string;
  /** The result as the event of the check shows it, with 100 violations at most; left out where that is the result itself. */
  readonly eventResult?: string;
}

/** How a check ended, as a `CheckOutcome` whose texts are still to be made, piece by piece. */
export interface CheckConclusion {
  readonly state: CheckOutcome['state'];
  readonly result: Iterable<string>;
  readonly eventResult?: Iterable<string>;
}

/** What the result of a check shows beside its violations. */
export interface CheckParts extends PredictionParts {
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
 * Concludes a check of which the violations have been found, as `SUCCESS` with as many of them as its bounds allow, or as
 * `ERROR` where what it says beside them is too large.
 */
export function concludeCheck(
  check: IdentityWithNewAccess,
  prediction: FoundPrediction,
  parts: CheckParts,
  bounds: ResultBounds = BOUNDS,
): CheckConclusion {
  const frame = frameOf(check, prediction, { ...parts, bytesMax: bounds.bytesMax });
  const count = prediction.violations.length;
  const bytes = frame === null ? -1 : bounds.bytesMax - bytesOf(frame, count);
  if (frame === null || bytes < 0) {
    const { state, result } = concludeWithError(check, tooManyMessage(count, bounds), parts.basis);
    return { state, result: [result] };
  }
  const resultOf = (contextsMax: number) => resultJson(prediction, parts, { frame, contextsMax, bytes });
  const eventMax = Math.min(EVENT_CONTEXTS_MAX, bounds.contextsMax);
  return {
    state: 'SUCCESS',
    result: resultOf(bounds.contextsMax),
    ...(count > EVENT_CONTEXTS_MAX && { eventResult: resultOf(eventMax) }),
  };
}

const tooManyMessage = (count: number, { bytesMax }: ResultBounds): string =>
  `The result is too large: what it says about ${count} violated policies, beside their violations, takes more than ${bytesMax} bytes.`;

/** What a result says before its violations, between them and their number, and after that. */
interface ResultFrame {
  readonly start: string;
  readonly policies: string;
  readonly end: string;
}

/** Null if the names of the policies alone take more bytes than a result may have. */
function frameOf(
  { clientMetadata }: IdentityWithNewAccess,
  { index, violations }: FoundPrediction,
  { basis, remediation, bytesMax }: CheckParts & Pick<ResultBounds, 'bytesMax'>,
): ResultFrame | null {
  let policies = '],"violatedPolicies":[';
  for (const text of policyRefsJson(
    index,
    violations.map(({ policy }) => policy),
  )) {
    policies += text;
    if (policies.length > bytesMax) return null;
  }
  return {
    start: `{"message":null,"clientMetadata":${JSON.stringify(clientMetadata)},"violationContexts":[`,
    policies: `${policies}]`,
    end: `${remediation === null ? '' : `,"remediation":${JSON.stringify(remediation)}`}${basisMembers(basis)}}`,
  };
}

const bytesOf = ({ start, policies, end }: ResultFrame, count: number): number =>
  utf8Length(start) + utf8Length(policies) + utf8Length(end) + countMembers(count, count).length;

interface ResultLimits {
  readonly frame: ResultFrame;
  readonly contextsMax: number;
  /** For the violations, in UTF-8. */
  readonly bytes: number;
}

function* resultJson(
  prediction: FoundPrediction,
  { coverage, explanation }: CheckParts,
  { frame, contextsMax, bytes }: ResultLimits,
): Generator<string> {
  const { index, violations, namePending } = prediction;
  const count = violations.length;
  const countMax = Math.min(contextsMax, explanation?.advisedCount ?? count);
  const explain = explanation === null ? null : createExplain(prediction, explanation);
  yield frame.start;
  let left = bytes;
  let shown = 0;
  for (const violation of violations) {
    if (shown === countMax) break;
    const text = contextJson(index, violation, { coverage, explain, namePending });
    left -= utf8Length(text) + 1;
    if (left < 0) break;
    yield shown === 0 ? text : `,${text}`;
    shown += 1;
  }
  yield frame.policies;
  yield countMembers(count, count - shown);
  yield frame.end;
}

const countMembers = (violationCount: number, omitted: number): string =>
  `,"violationCount":${violationCount},"omitted":${omitted}`;

/** Concludes a check without a verdict; `message` gives the caller the reason. */
export function concludeWithError(
  { clientMetadata }: Pick<IdentityWithNewAccess, 'clientMetadata'>,
  message: string,
  basis: Basis | null = null,
): CheckOutcome {
  const counts = { violationContexts: [], violatedPolicies: [], violationCount: 0, omitted: 0 };
  return { state: 'ERROR', result: JSON.stringify({ message, clientMetadata, ...counts, ...basis }) };
}

type PredictFailure = Extract<ReturnType<typeof predict>, { readonly ok: false }>['failure'];

/** Why a check has no verdict: what it asks about does not exist any more, or concerns too many instants now. */
export function messageOfFailed(index: SodIndex, check: IdentityWithNewAccess, failure: PredictFailure): string {
  if (failure.type === 'LimitExceeded') return `${failure.causes.map(({ at, text }) => `${at}: ${text}`).join(', ')}.`;
  const refs = expandAccess(index, check.accessRefs).unresolved.map(({ type, id }) => `${type} ${id}`);
  if (refs.length === 0) return `The identity ${check.identityId} does not exist any more.`;
  return `Requested access does not exist any more: ${refs.join(', ')}.`;
}

/** A check with its result as it is stored. */
export interface StoredCheckText extends Pick<SodCheck, 'requestId' | 'created' | 'state' | 'completed'> {
  /** A `SodCheckResult` as JSON text; null while there is none. */
  readonly result: string | null;
}

/** The JSON text of a check, a `SodCheck`. Its result is a piece of its own, so that a large one is not copied. */
export function* checkJson({ requestId, created, state, completed, result }: StoredCheckText): Generator<string> {
  yield `{"requestId":${JSON.stringify(requestId)},"created":${JSON.stringify(created)},"state":${JSON.stringify(state)},`;
  yield `"completed":${JSON.stringify(completed)},"violationCheckResult":`;
  yield result ?? 'null';
  yield '}';
}
