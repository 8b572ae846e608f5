import { parseIncludes } from '@access-admin/contract';
import {
  accessStatesOf,
  coverageOf,
  createWorkBudget,
  EXPLAINING_WORK_BYTES_MAX,
  type Failure,
  fail,
  failure,
  type IdentityWithNewAccess,
  ok,
  type PredictionToExplain,
  predictJson,
  predictToExplain,
  type Result,
  remediate,
  SOD_INCLUDES,
  type SodInclude,
  type Steps,
  type TextSteps,
  type WorkBudget,
  withinBounds,
} from '@access-admin/domain';
import { type Prediction, readExplained, type SodReader, type SodReading } from '@access-admin/rulebook-cache';
import { type SodStore, StorageUnavailable } from '@access-admin/store';
import { begun } from '../../event-loop/begun.ts';
import type { MaybePromise } from '../../event-loop/maybe-promise.ts';
import { MemoryExceeded, throwBeyondBounds } from '../../event-loop/memory-exceeded.ts';
import { endSteps, type Pace } from '../../event-loop/pace.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ApiFailure } from '../../operations/problem.ts';
import type {
  Gate,
  OperationHandler,
  OperationRequest,
  OperationResult,
  PlacedWork,
} from '../../operations/request.ts';
import type { SharedRoom } from '../../rooms/shared-room.ts';
import { queryOf } from '../answers/list.ts';
import { roomFull } from '../answers/room-full.ts';

export interface PredictDeps {
  readonly reader: SodReader;
  readonly pace: Pace;
  readonly now: () => Date;
}

export interface ExplainDeps extends PredictDeps {
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** The places of long predictions under way. */
  readonly explaining: SharedRoom;
}

/** start-predict-sod-violations-v1 */
export const predictSodViolations = (deps: ExplainDeps): OperationHandler => {
  const { reader, now } = deps;
  return (request) => {
    const includes = includesOf(request);
    if (!includes.ok) return includes;
    const { caller, body } = request;
    const question = body as IdentityWithNewAccess;
    if (includes.value.length > 0) return explainAlone(deps, request, includes.value);
    // Before the data: what is committed after the instant that the answer tells may be missing.
    const instant = now();
    const answer = (reading: SodReading): MaybePromise<Result<OperationResult, ApiFailure>> => {
      const text = predictionText(reading, question, instant);
      if (!text.ok) return text;
      return typeof text.value === 'string' ? ok({ text: text.value }) : answerLong(deps, request, text.value);
    };
    const reading = reader.read(caller.tenant, question.identityId);
    return reading instanceof Promise ? reading.then(answer) : answer(reading);
  };
};

export const EXPLAINING_FULL =
  'The tenant has too many long predictions under way: wait for some of them, or ask for fewer at once.';
const NO_INCLUDES = ok<readonly SodInclude[]>([]);

/** The additional parts of the response that the request asks for. */
export const includesOf = (request: OperationRequest): Result<readonly SodInclude[], Failure> =>
  request.exchange.target.includes('?') ? parseIncludes(queryOf(request).getAll('include'), SOD_INCLUDES) : NO_INCLUDES;

/** Gives a prediction with includes its place. A request with a faulty include gets one too, and is refused then. */
export const explainingGate =
  ({ pace, explaining }: Pick<ExplainDeps, 'pace' | 'explaining'>): Gate =>
  (exchange, tenant) =>
    exchange.target.includes('?') && queryOf({ exchange }).has('include')
      ? openPlace({ pace, explaining }, tenant, exchange)
      : null;

async function openPlace(
  { pace, explaining }: Pick<ExplainDeps, 'pace' | 'explaining'>,
  tenant: string,
  exchange: Exchange,
): Promise<Result<PlacedWork, ApiFailure>> {
  const left = exchange.signal();
  const job = { ...pace.begin(tenant, left), left };
  // Later, the end of the exchange releases the place, whatever becomes of the request.
  pace.check(job);
  const place = explaining.open(tenant, () => left);
  left.addEventListener('abort', () => place.release(), { once: true });
  const taken = await place.take(1);
  return taken.ok ? ok({ job, place }) : fail(roomFull(taken.failure, EXPLAINING_FULL));
}

async function explainAlone(
  deps: ExplainDeps,
  { body, placed }: OperationRequest,
  includes: readonly SodInclude[],
): Promise<Result<OperationResult, ApiFailure>> {
  if (placed === null) throw new Error('A prediction with includes has no place.');
  const pieces = await explainInPlace(deps, { ...placed, includes }, body as IdentityWithNewAccess);
  return pieces.ok ? ok({ text: pieces.value }) : pieces;
}

/** What an explained prediction is for, and its place. */
export interface Asked extends PlacedWork {
  readonly includes: readonly SodInclude[];
}

/** An explained prediction up to its first piece. One begins in each turn of the event loop. */
export async function explainInPlace(
  deps: ExplainDeps,
  asked: Asked,
  question: IdentityWithNewAccess,
): Promise<Result<AsyncIterable<string>, ApiFailure>> {
  const { job, place } = asked;
  let isWritten = false;
  try {
    await deps.pace.turn(job);
    const text = await explainPrediction(deps, asked, question);
    if (!text.ok) return text;
    isWritten = true;
    return await writeInPlace(deps.pace, asked, text.value);
  } finally {
    if (!isWritten) place.release();
  }
}

/**
 * Text up to its first piece; until then it is refused if it takes too much memory. Its place is released with its last step:
 * what is left then is short.
 */
export async function writeInPlace(
  pace: Pace,
  { job, place }: PlacedWork,
  { sink, steps }: TextSteps,
): Promise<Result<AsyncIterable<string>, ApiFailure>> {
  const write = function* (): Steps<void> {
    try {
      yield* steps;
    } finally {
      place.release();
    }
  };
  try {
    return ok(await begun(pace.text(job, { sink, steps: write() }), job.left));
  } catch (error) {
    // A generator that has not been started does not reach its `finally`.
    endSteps(steps);
    place.release();
    if (error instanceof MemoryExceeded) return fail(error.failure);
    throw error;
  }
}

/** A prediction without includes that takes more than a step waits for a place as well. */
async function answerLong(
  deps: ExplainDeps,
  { caller: { tenant }, exchange }: OperationRequest,
  text: TextSteps,
): Promise<Result<OperationResult, ApiFailure>> {
  const placed = await openPlace(deps, tenant, exchange);
  if (!placed.ok) {
    endSteps(text.steps);
    return placed;
  }
  const pieces = await writeInPlace(deps.pace, placed.value, text);
  return pieces.ok ? ok({ text: pieces.value }) : pieces;
}

// The work of a fraction of a millisecond.
const STEP_WORK = 1_024;
const BOUNDS = { bytesMax: EXPLAINING_WORK_BYTES_MAX };

/** The JSON of an explained prediction. Large work is done in steps, also while the response is sent. */
async function explainPrediction(
  { reader, sod, pace, now }: ExplainDeps,
  { job, includes }: Asked,
  question: IdentityWithNewAccess,
): Promise<Result<TextSteps, Failure>> {
  const { identityId, accessRefs, at } = question;
  const predictOn = async (reading: SodReading, nowMs: number): Promise<Prediction<ToExplain>> => {
    const instant = new Date(nowMs);
    // What one try has found is dropped when there is another one, so each has a budget of its own.
    const budget = createWorkBudget(STEP_WORK, BOUNDS);
    const steps = predictToExplain(reading.index, reading, {
      accessRefs,
      at,
      nowMs: instant.getTime(),
      includes,
      budget,
    });
    if (!steps.ok) return { outcome: steps, policyIds: [] };
    const found = await pace.run(job, withinBounds(steps.value, budget));
    if (!found.ok) return { outcome: fail(tooMuch(includes)), policyIds: [] };
    return { outcome: ok({ found: found.value, instant, budget }), policyIds: found.value.policyIds };
  };
  const asked = { tenant: job.tenant, identityId, accessRefs, includes };
  const explained = await readExplained({ reader, sod, now: () => now().getTime() }, asked, predictOn);
  if (explained === null) throw new StorageUnavailable('What explains a prediction changed whenever it was read.');
  const { reading, outcome, explanation } = explained;
  if (!outcome.ok) return outcome;
  const { found, instant, budget } = outcome.value;
  if (explanation === 'tooLarge' || (explanation?.advisedCount ?? found.policyIds.length) < found.policyIds.length)
    return fail(failure('LimitExceeded', 'include', EXPLANATION_TOO_LARGE));
  const asOf = instant.toISOString();
  const request = { accessRefs, at, nowMs: instant.getTime() };
  const coverage = coverageOf(reading.exceptions, { index: reading.index, holder: reading, request });
  let ending = basisText(reading, asOf);
  if (includes.includes('remediation')) {
    const accessStates = explanation === null ? [] : accessStatesOf(explanation, { at, nowMs: instant.getTime() });
    // Before the first piece of the answer: beyond its bound it is refused.
    const steps = remediate(reading.index, accessStates, budget);
    const remediation = await pace.run(job, withinBounds(steps, budget));
    if (!remediation.ok) return fail(tooMuch(includes));
    ending = `,"remediation":${JSON.stringify(remediation.value)}${ending}`;
  }
  const sink = { text: '' };
  const write = function* (): Steps<void> {
    sink.text = VIOLATIONS;
    yield* found.write(sink, includes.includes('via') ? explanation : null, coverage);
    sink.text += ending;
  };
  return ok({ sink, steps: throwBeyondBounds(write(), budget, tooMuch(includes)) });
}

const tooMuch = (includes: readonly SodInclude[]): Failure =>
  failure(
    'LimitExceeded',
    'include',
    `takes too much memory here: drop ${includes.join(' and ')}, or request less at a time`,
  );

const TOO_MUCH = failure(
  'LimitExceeded',
  'accessRefs',
  'take too much memory here: request less at a time, or give "at"',
);

const EXPLANATION_TOO_LARGE =
  'what explains the violations, roles, access profiles and advice of policies, is too large: drop "via", or request less at a time';

interface FoundOn {
  readonly found: PredictionToExplain;
  readonly instant: Date;
  readonly budget: WorkBudget;
}

type ToExplain = Result<FoundOn, Failure>;

const VIOLATIONS = '{"violationContexts":';

/** The JSON of a prediction and its basis; in steps if it is long. */
export function predictionText(
  reading: SodReading,
  { accessRefs, at }: IdentityWithNewAccess,
  now: Date,
): Result<string | TextSteps, Failure> {
  const asOf = now.toISOString();
  const { index, exceptions } = reading;
  const request = { accessRefs, at, nowMs: now.getTime() };
  const coverage = exceptions === null ? null : coverageOf(exceptions, { index, holder: reading, request });
  const budget = createWorkBudget(STEP_WORK, BOUNDS);
  const prediction = predictJson(index, reading, { ...request, budget, coverage });
  if (!prediction.ok) return prediction;
  const { value } = prediction;
  const basis = basisText(reading, asOf);
  return ok(typeof value === 'string' ? VIOLATIONS + value + basis : withBasis(value, basis, budget));
}

const basisText = ({ policySetVersion }: SodReading, asOf: string) =>
  `,"policySetVersion":${policySetVersion},"asOf":"${asOf}"}`;

function withBasis({ sink, steps }: TextSteps, basis: string, budget: WorkBudget): TextSteps {
  const write = function* (): Steps<void> {
    sink.text = VIOLATIONS + sink.text;
    yield* throwBeyondBounds(steps, budget, TOO_MUCH);
    sink.text += basis;
  };
  return { sink, steps: write() };
}
