import {
  accessStatesOf,
  CHECK_CONTEXTS_MAX,
  type CheckOutcome,
  concludeCheck,
  concludeWithError,
  coverageOf,
  EXPLAINING_BUNDLES_BYTES_MAX,
  type Explanation,
  type FoundPrediction,
  fail,
  messageOfFailed,
  ok,
  policyIdAt,
  policyIdsOf,
  predict,
  type Remediation,
  type Result,
  searchRemediation,
} from '@access-admin/domain';
import {
  type ClaimedCheck,
  type ExplainedReading,
  readExplained,
  type SodReader,
  type SodReading,
  type SodStore,
  StorageUnavailable,
} from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { CheckConclusion } from './held.ts';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Reads the data of a check and concludes it, all as of one instant, with pauses: it ends where a pause rejects. A check that
 * exceeds a bound has the outcome `ERROR`: it would exceed it again at every attempt.
 */
export async function runCheck(deps: RunCheckDeps, check: ClaimedCheck, pause: Pause): Promise<CheckConclusion> {
  if (check.includes.length > 0) return explainCheck(deps, check, pause);
  // Before the data: what is committed after the instant that the result tells may be missing.
  const nowMs = deps.now();
  const reading = await deps.reader.read(check.tenant, check.identityId);
  const found = await findViolationsOf(check, reading, { nowMs, pause });
  if (!found.ok) return withoutVerdict(concludeWithError(check, found.failure.message, found.failure.basis));
  return conclude(check, reading, { ...found.value, explanation: null, pause });
}

async function explainCheck(deps: RunCheckDeps, check: ClaimedCheck, pause: Pause): Promise<CheckConclusion> {
  const { reading, outcome: found, explanation } = await readToExplain(deps, check, pause);
  if (!found.ok) return withoutVerdict(concludeWithError(check, found.failure.message, found.failure.basis));
  if (explanation === 'tooLarge') return withoutVerdict(concludeWithError(check, EXPLANATION_TOO_LARGE));
  return conclude(check, reading, { ...found.value, explanation, pause });
}

const withoutVerdict = (outcome: CheckOutcome): CheckConclusion => ({ ...outcome, verdict: null });

/** The violations of a check as of an instant. */
interface Found {
  readonly prediction: FoundPrediction;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Why a check has no verdict. */
interface NoVerdict {
  readonly message: string;
  readonly basis: ReturnType<typeof basisOf>;
}

const basisOf = ({ policySetVersion }: SodReading, nowMs: number) => ({
  policySetVersion,
  asOf: new Date(nowMs).toISOString(),
});

async function findViolationsOf(
  check: ClaimedCheck,
  reading: SodReading,
  { nowMs, pause }: { readonly nowMs: number; readonly pause: Pause },
): Promise<Result<Found, NoVerdict>> {
  const { accessRefs, at, includes } = check;
  const request = { accessRefs, at, nowMs, includes, contextsMax: CHECK_CONTEXTS_MAX };
  const found = predict(reading.index, reading, request);
  if (!found.ok) {
    const message = messageOfFailed(reading.index, check, found.failure);
    return fail({ message, basis: basisOf(reading, nowMs) });
  }
  const violations: FoundPrediction['violations'][number][] = [];
  for (const violation of found.value.violations) {
    // Null for a policy that was evaluated and is not violated.
    if (violation !== null) violations.push(violation);
    const pausing = pause();
    // Awaiting nothing would take longer than finding most violations.
    if (pausing !== undefined) await pausing;
  }
  return ok({ prediction: { ...found.value, violations }, nowMs });
}

interface FoundToConclude extends Found {
  /** Null where nothing is to be explained. */
  readonly explanation: Explanation | null;
  readonly pause: Pause;
}

async function conclude(
  check: ClaimedCheck,
  reading: SodReading,
  { prediction, nowMs, explanation, pause }: FoundToConclude,
): Promise<CheckConclusion> {
  const { includes, accessRefs, at } = check;
  const request = { accessRefs, at, nowMs };
  const basis = basisOf(reading, nowMs);
  const { state, result, eventResult } = concludeCheck(check, prediction, {
    basis,
    coverage: coverageOf(reading.exceptions, { index: reading.index, holder: reading, request }),
    explanation: includes.includes('via') ? explanation : null,
    remediation: includes.includes('remediation')
      ? await findRemediation(prediction, { explanation, request, pause })
      : null,
  });
  const text = await joined(result, pause);
  const violatedPolicies = prediction.violations.map(({ policy }) => policyIdAt(prediction.index, policy));
  // A check beyond a bound of its result ends in an error, too.
  const verdict = state === 'SUCCESS' ? { violatedPolicies, basis } : null;
  return eventResult === undefined
    ? { state, result: text, verdict }
    : { state, result: text, verdict, eventResult: await joined(eventResult, pause) };
}

async function joined(pieces: Iterable<string>, pause: Pause): Promise<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  return text;
}

interface Remedied extends Pick<FoundToConclude, 'explanation' | 'pause'> {
  readonly request: Parameters<typeof accessStatesOf>[1];
}

async function findRemediation(
  { index }: FoundPrediction,
  { explanation, request, pause }: Remedied,
): Promise<Remediation> {
  // Without a violation there is no explanation.
  const search = searchRemediation(index, explanation === null ? [] : accessStatesOf(explanation, request));
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
}

async function readToExplain(
  { reader, sod, now }: RunCheckDeps,
  check: ClaimedCheck,
  pause: Pause,
): Promise<ExplainedReading<Result<Found, NoVerdict>>> {
  const explained = await readExplained({ reader, sod, now }, check, async (reading, nowMs) => {
    const outcome = await findViolationsOf(check, reading, { nowMs, pause });
    return { outcome, policyIds: outcome.ok ? policyIdsOf(outcome.value.prediction) : [] };
  });
  if (explained === null) throw new StorageUnavailable('What explains a check changed whenever it was read.');
  return explained;
}

const EXPLANATION_TOO_LARGE = `What explains the check, its roles and access profiles, is larger than ${Math.round(EXPLAINING_BUNDLES_BYTES_MAX / 2 ** 20)} MiB: ask without include.`;
