import { parseIncludes } from '@access-admin/contract';
import {
  accessStatesOf,
  coverageOf,
  createWorkBudget,
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
} from '@access-admin/domain';
import { type Prediction, readExplained, type SodReader, type SodReading } from '@access-admin/rulebook-cache';
import { type SodStore, StorageUnavailable } from '@access-admin/store';
import type { Pace } from '../../event-loop/pace.ts';
import type { OperationHandler, OperationRequest, OperationResult } from '../../operations/request.ts';
import { queryOf } from '../answers/list.ts';

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
      return explainPrediction(deps, asked, question).then((text) =>
        text.ok ? ok({ text: pace.text(text.value) }) : text,
      );
    }
    const answer = (reading: SodReading): Result<OperationResult, Failure> => {
      const text = predictionText(reading, question, now());
      if (!text.ok) return text;
      return ok({ text: typeof text.value === 'string' ? text.value : pace.text(text.value) });
    };
    const reading = reader.read(caller.tenant, question.identityId);
    return reading instanceof Promise ? reading.then(answer) : answer(reading);
  };
};

const NO_INCLUDES = ok<readonly SodInclude[]>([]);

/** The additional parts of the response that the request asks for. */
export const includesOf = (request: OperationRequest): Result<readonly SodInclude[], Failure> =>
  request.exchange.target.includes('?') ? parseIncludes(queryOf(request).getAll('include'), SOD_INCLUDES) : NO_INCLUDES;

interface Asked {
  readonly tenant: string;
  readonly includes: readonly SodInclude[];
}

// The work of a fraction of a millisecond.
const STEP_WORK = 1_024;

/** The JSON of an explained prediction. Large work is done in steps, also while the response is sent. */
export async function explainPrediction(
  { reader, sod, pace, now }: ExplainDeps,
  { tenant, includes }: Asked,
  question: IdentityWithNewAccess,
): Promise<Result<TextSteps, Failure>> {
  const { identityId, accessRefs, at } = question;
  const budget = createWorkBudget(STEP_WORK);
  const predictOn = async (reading: SodReading): Promise<Prediction<ToExplain>> => {
    const instant = now();
    const steps = predictToExplain(reading.index, reading, {
      accessRefs,
      at,
      nowMs: instant.getTime(),
      includes,
      budget,
    });
    if (!steps.ok) return { outcome: steps, policyIds: [] };
    const found = await pace.run(steps.value);
    return { outcome: ok({ found, instant }), policyIds: found.policyIds };
  };
  const explained = await readExplained({ reader, sod }, { tenant, identityId, accessRefs, includes }, predictOn);
  if (explained === null) throw new StorageUnavailable('What explains a prediction changed whenever it was read.');
  const { reading, outcome, explanation } = explained;
  if (!outcome.ok) return outcome;
  const { found, instant } = outcome.value;
  if (explanation === 'tooLarge' || (explanation?.advisedCount ?? found.policyIds.length) < found.policyIds.length)
    return fail(failure('LimitExceeded', 'include', EXPLANATION_TOO_LARGE));
  const asOf = instant.toISOString();
  const request = { accessRefs, at, nowMs: instant.getTime() };
  const coverage = coverageOf(reading.exceptions, { index: reading.index, holder: reading, request });
  const sink = { text: '' };
  const write = function* (): Steps<void> {
    sink.text = VIOLATIONS;
    yield* found.write(sink, includes.includes('via') ? explanation : null, coverage);
    if (includes.includes('remediation')) {
      const accessStates = explanation === null ? [] : accessStatesOf(explanation, { at, nowMs: instant.getTime() });
      const remediation = yield* remediate(reading.index, accessStates, budget);
      sink.text += `,"remediation":${JSON.stringify(remediation)}`;
    }
    sink.text += basisText(reading, asOf);
  };
  return ok({ sink, steps: write() });
}

const EXPLANATION_TOO_LARGE =
  'what explains the violations, roles, access profiles and advice of policies, is too large: drop "via", or request less at a time';

type ToExplain = Result<{ readonly found: PredictionToExplain; readonly instant: Date }, Failure>;

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
  const prediction = predictJson(index, reading, { ...request, budget: createWorkBudget(STEP_WORK), coverage });
  if (!prediction.ok) return prediction;
  const { value } = prediction;
  const basis = basisText(reading, asOf);
  return ok(typeof value === 'string' ? VIOLATIONS + value + basis : withBasis(value, basis));
}

const basisText = ({ policySetVersion }: SodReading, asOf: string) =>
  `,"policySetVersion":${policySetVersion},"asOf":"${asOf}"}`;

function withBasis({ sink, steps }: TextSteps, basis: string): TextSteps {
  const write = function* (): Steps<void> {
    sink.text = VIOLATIONS + sink.text;
    yield* steps;
    sink.text += basis;
  };
  return { sink, steps: write() };
}
