import { CHECK_BACKLOG_MAX, parseIncludes } from '@access-admin/contract';
import {
  accessStatesOf,
  type CoveredPolicies,
  coveredAt,
  type Failure,
  fail,
  failure,
  type IdentityWithNewAccess,
  inPieces,
  isTimed,
  ok,
  predictJson,
  predictTemporalJson,
  predictTemporalToExplain,
  predictToExplain,
  type Remediation,
  type Result,
  remediateInSteps,
  SOD_INCLUDES,
  type SodInclude,
  validateAccessRefs,
} from '@access-admin/domain';
import { type Prediction, readExplained, type SodReader, type SodReading } from '@access-admin/rulebook-cache';
import { type CheckQueue, type SodStore, StorageUnavailable } from '@access-admin/store';
import type { Pace } from '../../event-loop/pace.ts';
import type { OperationHandler, OperationRequest, OperationResult } from '../../operations/request.ts';
import { backlogFull } from '../answers/backlog-full.ts';
import { queryOf } from '../answers/list.ts';
import type { AwaitCheck } from './await-check.ts';
import { checkIdOf, parseIdempotencyKey } from './idempotency-key.ts';
import { parsePreferWait } from './prefer.ts';

export interface PredictDeps {
  readonly reader: SodReader;
  readonly pace: Pace;
  readonly now: () => Date;
}

export interface ExplainDeps extends PredictDeps {
  readonly sod: Pick<SodStore, 'readExplanation'>;
}

/** start-predict-sod-violations-v1 */
export const predictSodViolations = (deps: ExplainDeps): OperationHandler => {
  const { reader, pace, now } = deps;
  return (request) => {
    const includes = includesOf(request);
    if (!includes.ok) return includes;
    const { caller, body } = request;
    const question = body as IdentityWithNewAccess;
    if (includes.value.length > 0) {
      const asked = { tenant: caller.tenant, includes: includes.value };
      return explainPrediction(deps, asked, question).then((text) => (text.ok ? ok({ text: pace(text.value) }) : text));
    }
    const answer = (reading: SodReading): Result<OperationResult, Failure> => {
      const text = predictionText(reading, question, now());
      if (!text.ok) return text;
      return ok({ text: typeof text.value === 'string' ? text.value : pace(text.value) });
    };
    const reading = reader.read(caller.tenant, question.identityId);
    return reading instanceof Promise ? reading.then(answer) : answer(reading);
  };
};

const NO_INCLUDES = ok<readonly SodInclude[]>([]);

/** What the answer is to have besides. */
export const includesOf = (request: OperationRequest): Result<readonly SodInclude[], Failure> =>
  request.exchange.target.includes('?') ? parseIncludes(queryOf(request).getAll('include'), SOD_INCLUDES) : NO_INCLUDES;

interface Asked {
  readonly tenant: string;
  readonly includes: readonly SodInclude[];
}

/** The JSON of a prediction that is explained. Whatever is large is done in steps, in those of the answer too. */
export async function explainPrediction(
  { reader, sod, pace, now }: ExplainDeps,
  { tenant, includes }: Asked,
  question: IdentityWithNewAccess,
): Promise<Result<Iterable<string>, Failure>> {
  const { identityId, accessRefs } = question;
  const predictOn = async (reading: SodReading): Promise<Prediction<ToExplain & { readonly moment: Date }>> => {
    const moment = now();
    const outcome = { ...toExplain(reading, question, moment), moment };
    if (!outcome.ok) return { outcome, policyIds: [] };
    const { search, policyIds } = outcome.value;
    for await (const _ of pace(search));
    return { outcome, policyIds };
  };
  const request = { tenant, identityId, accessRefs };
  const explained = await readExplained({ reader, sod }, request, predictOn);
  if (explained === null) throw new StorageUnavailable('What explains a prediction changed whenever it was read.');
  const { reading, outcome, explanation } = explained;
  if (!outcome.ok) return outcome;
  const { moment } = outcome;
  const asOf = moment.toISOString();
  const covered = coveredAt(reading.exceptions, question.at ?? asOf);
  const contexts = outcome.value.write(includes.includes('via') ? explanation : null, covered);
  const accessStates =
    explanation === null ? [] : accessStatesOf(explanation, { at: question.at, nowMs: moment.getTime() });
  const remedy = includes.includes('remediation') ? remediateInSteps(reading.index, accessStates) : null;
  return ok(explainedText(contexts, remedy, basisText(reading, asOf)));
}

function* explainedText(
  contexts: Iterable<string>,
  remedy: Generator<void, Remediation> | null,
  basis: string,
): Generator<string> {
  yield '{"violationContexts":';
  yield* contexts;
  if (remedy !== null) yield `,"remediation":${JSON.stringify(yield* inPieces(remedy))}`;
  yield basis;
}

type ToExplain = ReturnType<typeof predictToExplain>;

const toExplain = (reading: SodReading, question: IdentityWithNewAccess, now: Date): ToExplain =>
  isTimed(reading.timed, question)
    ? predictTemporalToExplain(reading.index, reading, { ...question, nowMs: now.getTime() })
    : predictToExplain(reading.index, reading.held, question.accessRefs);

interface Question {
  readonly question: IdentityWithNewAccess;
  readonly now: Date;
}

const plainJson = (reading: SodReading, question: IdentityWithNewAccess, now: Date) =>
  isTimed(reading.timed, question)
    ? predictTemporalJson(reading.index, reading, { ...question, nowMs: now.getTime() })
    : predictJson(reading.index, reading.held, question.accessRefs);

/** In steps: who has an exception is seldom in a hurry. */
function coveredJson(
  reading: SodReading,
  { question, now }: Question,
  covered: CoveredPolicies,
): Result<Iterable<string>, Failure> {
  const prediction = toExplain(reading, question, now);
  if (!prediction.ok) return prediction;
  const { search, write } = prediction.value;
  return ok(
    (function* () {
      for (const _ of search) yield '';
      yield '{"violationContexts":';
      yield* write(null, covered);
      yield '}';
    })(),
  );
}

/** The JSON of a prediction and of what it is based on; in steps where it is long. */
export function predictionText(
  reading: SodReading,
  question: IdentityWithNewAccess,
  now: Date,
): Result<string | Iterable<string>, Failure> {
  const asOf = now.toISOString();
  const covered = coveredAt(reading.exceptions, question.at ?? asOf);
  const prediction =
    covered === null ? plainJson(reading, question, now) : coveredJson(reading, { question, now }, covered);
  if (!prediction.ok) return prediction;
  const { value } = prediction;
  const basis = basisText(reading, asOf);
  return ok(typeof value === 'string' ? value.slice(0, -1) + basis : withEnd(value, basis));
}

const basisText = ({ policySetVersion }: SodReading, asOf: string) =>
  `,"policySetVersion":${policySetVersion},"asOf":"${asOf}"}`;

/** The pieces of an object with another end than its last brace. */
function* withEnd(pieces: Iterable<string>, end: string): Generator<string> {
  let last = '';
  for (const piece of pieces) {
    if (piece !== '' && last !== '') yield last;
    // An empty piece is a pause: it must not wait for the next one.
    if (piece === '') yield piece;
    else last = piece;
  }
  yield last.slice(0, -1) + end;
}

export interface StartCheckDeps {
  readonly reader: SodReader;
  readonly checks: CheckQueue;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** start-violation-check-v1: 202 only once the check is durably stored; one check for all requests with the same key. */
export const startViolationCheck =
  ({ reader, checks, now, newId }: StartCheckDeps): OperationHandler =>
  async (operationRequest) => {
    const { caller, body, exchange } = operationRequest;
    const request = body as IdentityWithNewAccess;
    const asked = includesOf(operationRequest);
    if (!asked.ok) return asked;
    const includes = asked.value;
    const key = parseIdempotencyKey(exchange.header('idempotency-key'));
    if (!key.ok) return key;
    const { tenant } = caller;
    const { index, held } = await reader.read(tenant, request.identityId);
    const judged = validateAccessRefs(index, held, request.accessRefs);
    const requestId = key.value === null ? newId() : checkIdOf(key.value, caller, { ...request, includes });
    const check = { tenant, requestId, created: now().toISOString(), ...request, includes };
    const outcome = judged.ok ? await checks.enqueue(check, CHECK_BACKLOG_MAX) : null;
    // An earlier request with the key may have stored it already, whatever has become of what it asks about.
    const stored = key.value === null ? null : await checks.find(tenant, requestId);
    if (!judged.ok && stored === null) return judged;
    if (outcome === 'backlogFull' && stored === null)
      return backlogFull(`The tenant has ${CHECK_BACKLOG_MAX} pending checks.`);
    const { created } = stored ?? check;
    return ok({ json: { requestId, created }, headers: { location: `/sod-violations/v1/check/${requestId}` } });
  };

/** get-violation-check-v1 */
export const getViolationCheck =
  (awaitCheck: AwaitCheck): OperationHandler =>
  async ({ caller, params: { requestId = '' }, exchange }) => {
    const waitSeconds = parsePreferWait(exchange.header('prefer'));
    const check = await awaitCheck({
      tenant: caller.tenant,
      requestId,
      waitMs: waitSeconds * 1000,
      signal: exchange.signal(),
    });
    if (check === null) return fail(failure('NotFound', '', 'There is no such check.'));
    return ok({ json: check, headers: waitSeconds > 0 ? { 'preference-applied': `wait=${waitSeconds}` } : {} });
  };
