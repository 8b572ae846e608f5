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
import type { RunCheck } from './held.ts';
import { afterPauses, inPieces, joined, type Paused, takeAll } from './pauses.ts';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Reads the data of a check and concludes it, all as of one instant: each yield is a pause, at which the caller may end it by
 * `return()`. A check that exceeds a bound ends in `ERROR`: it would happen again at every attempt.
 */
export async function* runCheck(deps: RunCheckDeps, check: ClaimedCheck): AsyncGenerator<undefined, CheckOutcome> {
  if (check.includes.length === 0) {
    const nowMs = deps.now();
    return yield* concludeOn(check, await deps.reader.read(check.tenant, check.identityId), nowMs);
  }
  const { reading, outcome: found, explanation } = await readToExplain(deps, check);
  if (!found.ok) return concludeWithError(check, found.failure.message, found.failure.basis);
  if (explanation === 'tooLarge') return concludeWithError(check, EXPLANATION_TOO_LARGE);
  return yield* conclude(check, reading, { ...found.value, explanation });
}

/** The same, but a check that takes one step and waits for nothing, as most do, is concluded at once. */
export function runCheckAtOnce(deps: RunCheckDeps, check: ClaimedCheck): ReturnType<RunCheck> {
  if (check.includes.length > 0) return runCheck(deps, check);
  // Before the data: what is committed after the instant that the result tells may be missing.
  const nowMs = deps.now();
  const reading = deps.reader.read(check.tenant, check.identityId);
  if (reading instanceof Promise) return goOn(reading.then((later) => concludeOn(check, later, nowMs)));
  const work = concludeOn(check, reading, nowMs);
  const step = work.next();
  return step.done === true ? step.value : goOn(work);
}

async function* goOn(
  work: Paused<CheckOutcome> | Promise<Paused<CheckOutcome>>,
): AsyncGenerator<undefined, CheckOutcome> {
  return yield* await work;
}

function* concludeOn(check: ClaimedCheck, reading: SodReading, nowMs: number): Paused<CheckOutcome> {
  const found = yield* findOn(check, reading, nowMs);
  if (!found.ok) return concludeWithError(check, found.failure.message, found.failure.basis);
  return yield* conclude(check, reading, { ...found.value, explanation: null });
}

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

function* findOn(check: ClaimedCheck, reading: SodReading, nowMs: number): Paused<Result<Found, NoVerdict>> {
  const { accessRefs, at, includes } = check;
  const request = { accessRefs, at, nowMs, includes, contextsMax: CHECK_CONTEXTS_MAX };
  const found = predict(reading.index, reading, request);
  if (!found.ok) {
    const message = messageOfFailed(reading.index, check, found.failure);
    return fail({ message, basis: basisOf(reading, nowMs) });
  }
  const violations: FoundPrediction['violations'][number][] = [];
  yield* takeAll(found.value.violations, (violation) => {
    if (violation !== null) violations.push(violation);
  });
  return ok({ prediction: { ...found.value, violations }, nowMs });
}

interface FoundToConclude extends Found {
  /** Null where nothing is to be explained. */
  readonly explanation: Explanation | null;
}

function* conclude(
  check: ClaimedCheck,
  reading: SodReading,
  { prediction, nowMs, explanation }: FoundToConclude,
): Paused<CheckOutcome> {
  const { includes, accessRefs, at } = check;
  const request = { accessRefs, at, nowMs };
  const { state, result, eventResult } = concludeCheck(check, prediction, {
    basis: basisOf(reading, nowMs),
    coverage: coverageOf(reading.exceptions, { index: reading.index, holder: reading, request }),
    explanation: includes.includes('via') ? explanation : null,
    remediation: includes.includes('remediation') ? yield* findRemediation(prediction, { explanation, request }) : null,
  });
  const text = yield* joined(result);
  return eventResult === undefined
    ? { state, result: text }
    : { state, result: text, eventResult: yield* joined(eventResult) };
}

interface Remedied extends Pick<FoundToConclude, 'explanation'> {
  readonly request: Parameters<typeof accessStatesOf>[1];
}

function* findRemediation({ index }: FoundPrediction, { explanation, request }: Remedied): Paused<Remediation> {
  // Without a violation there is no explanation.
  const search = searchRemediation(index, explanation === null ? [] : accessStatesOf(explanation, request));
  return yield* inPieces(search);
}

async function readToExplain(
  { reader, sod, now }: RunCheckDeps,
  check: ClaimedCheck,
): Promise<ExplainedReading<Result<Found, NoVerdict>>> {
  const explained = await readExplained({ reader, sod, now }, check, async (reading, nowMs) => {
    const outcome = await afterPauses(findOn(check, reading, nowMs));
    return { outcome, policyIds: outcome.ok ? policyIdsOf(outcome.value.prediction) : [] };
  });
  if (explained === null) throw new StorageUnavailable('What explains a check changed whenever it was read.');
  return explained;
}

const EXPLANATION_TOO_LARGE = `What explains the check, its roles and access profiles, is larger than ${Math.round(EXPLAINING_BUNDLES_BYTES_MAX / 2 ** 20)} MiB: ask without include.`;
