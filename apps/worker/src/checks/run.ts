import {
  type BoundExceeded,
  type CheckOutcome,
  concludeWithError,
  coverageOf,
  createWorkBudget,
  EXPLAINING_BUNDLES_BYTES_MAX,
  EXPLAINING_WORK_BYTES_MAX,
  type FoundCheck,
  fail,
  findCheck,
  ok,
  type Result,
  type Steps,
  type WorkBudget,
  withinBounds,
} from '@access-admin/domain';
import {
  type ExplainedReading,
  readExplainedInSteps,
  type SodReader,
  type SodReading,
} from '@access-admin/rulebook-cache';
import { type ClaimedCheck, type SodStore, StorageUnavailable } from '@access-admin/store';
import type { RunCheck } from './held.ts';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

// The work of a fraction of a millisecond.
const STEP_WORK = 1_024;

/**
 * Reads the data of a check and concludes it, all as of one instant, in steps: each yield is a pause, at which the caller may
 * end it by `return()`. A check that exceeds a bound ends in `ERROR`: it would happen again at every attempt.
 */
export async function* runCheck(deps: RunCheckDeps, check: ClaimedCheck): AsyncGenerator<undefined, CheckOutcome> {
  if (check.includes.length === 0) {
    const nowMs = deps.now();
    const reading = await deps.reader.read(check.tenant, check.identityId);
    return yield* concludeOn(check, reading, nowMs);
  }
  const { reading, outcome: found, explanation } = yield* readToExplain(deps, check);
  return yield* concludeFound(check, reading, { found, explanation });
}

/** The same, but a check that takes one step and waits for nothing, as most do, is concluded at once. */
export function runCheckAtOnce(deps: RunCheckDeps, check: ClaimedCheck): ReturnType<RunCheck> {
  if (check.includes.length > 0) return runCheck(deps, check);
  // Before the data: what is committed after the instant that the result tells may be missing.
  const nowMs = deps.now();
  const reading = deps.reader.read(check.tenant, check.identityId);
  if (reading instanceof Promise) return goOn(reading.then((later) => concludeOn(check, later, nowMs)));
  const steps = concludeOn(check, reading, nowMs);
  const step = steps.next();
  return step.done === true ? step.value : goOn(steps);
}

async function* goOn(
  steps: Steps<CheckOutcome> | Promise<Steps<CheckOutcome>>,
): AsyncGenerator<undefined, CheckOutcome> {
  return yield* await steps;
}

function* concludeOn(check: ClaimedCheck, reading: SodReading, nowMs: number): Steps<CheckOutcome> {
  return yield* concludeFound(check, reading, { found: yield* findOn(check, reading, nowMs), explanation: null });
}

interface FoundParts extends Pick<ExplainedReading<Found>, 'explanation'> {
  readonly found: Found;
}

function* concludeFound(
  check: ClaimedCheck,
  reading: SodReading,
  { found, explanation }: FoundParts,
): Steps<CheckOutcome> {
  if (!found.ok) return concludeWithError(check, found.failure);
  if (explanation === 'tooLarge') return concludeWithError(check, EXPLANATION_TOO_LARGE);
  const { foundCheck, nowMs, budget } = found.value;
  const { index, exceptions, policySetVersion } = reading;
  const evidence = {
    basis: { policySetVersion, asOf: new Date(nowMs).toISOString() },
    coverage: coverageOf(exceptions, { index, holder: reading, request: { ...check, nowMs } }),
    explanation,
  };
  const concluded = yield* withinBounds(foundCheck.conclude(evidence), budget);
  return concluded.ok ? concluded.value : concludeWithError(check, messageOf(concluded.failure));
}

interface FoundOn {
  readonly foundCheck: FoundCheck;
  readonly nowMs: number;
  readonly budget: WorkBudget;
}

type Found = Result<FoundOn, string>;

async function* readToExplain(
  { reader, sod, now }: RunCheckDeps,
  check: ClaimedCheck,
): AsyncGenerator<undefined, ExplainedReading<Found>> {
  const explained = yield* readExplainedInSteps({ reader, sod, now }, check, async function* (reading, nowMs) {
    const outcome = yield* findOn(check, reading, nowMs);
    return { outcome, policyIds: outcome.ok ? outcome.value.foundCheck.policyIds : [] };
  });
  if (explained === null) throw new StorageUnavailable('What explains a check changed whenever it was read.');
  return explained;
}

// What one try has found is dropped when there is another one, so each has a budget of its own.
function* findOn(check: ClaimedCheck, reading: SodReading, nowMs: number): Steps<Found> {
  const budget = createWorkBudget(STEP_WORK, { bytesMax: EXPLAINING_WORK_BYTES_MAX });
  const { index, held, timed } = reading;
  const found = yield* withinBounds(
    findCheck({ index, held, timed, check, nowMs, includes: check.includes, budget }),
    budget,
  );
  return found.ok ? ok({ foundCheck: found.value, nowMs, budget }) : fail(messageOf(found.failure));
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

const messageOf = ({ bound, most }: BoundExceeded): string =>
  bound === 'BYTES'
    ? `The check takes more than ${mebibytes(most)} of memory.`
    : `The check takes more than ${most} units of work.`;

const EXPLANATION_TOO_LARGE = `What explains the check, its roles and access profiles, is larger than ${mebibytes(EXPLAINING_BUNDLES_BYTES_MAX)}: ask without include.`;
