import { setTimeout } from 'node:timers/promises';
import {
  accessStatesOf,
  type Basis,
  coverageOf,
  createInstantText,
  type ExceptionCoverage,
  type Explanation,
  type FoundPrediction,
  fail,
  nameSources,
  ok,
  type Prediction,
  policyIdsOf,
  predict,
  type Remediation,
  type Result,
  type SodInclude,
  type SodIndex,
  searchRemediation,
  type TimedAccessRef,
} from '@access-admin/domain';
import type { Pause } from '../engine/concurrency/pauses.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import type { SodStore } from '../policies/rulebook/sod-store.ts';
import type { SodReader, SodReading } from './sod-reader.ts';

export interface PredictionQuestion {
  readonly accessRefs: readonly TimedAccessRef[];
  /** The only instant that counts; every instant from now on without one. */
  readonly at?: string | null | undefined;
  readonly includes?: readonly SodInclude[];
  readonly contextsMax?: number;
}

/** A prediction on one state of the data. */
export interface PredictionOnReading {
  readonly prediction: Prediction;
  readonly basis: Basis;
  readonly coverage: ExceptionCoverage | null;
}

/** Why there is no prediction, and the data that say so. */
export interface PredictionRefusal {
  readonly failure: Extract<ReturnType<typeof predict>, { readonly ok: false }>['failure'];
  readonly index: SodIndex;
  readonly basis: Basis;
}

const textOf = createInstantText();

/** Predicts on data that were read after `nowMs`: a later instant would promise commits that they may lack. */
export function predictOn(
  reading: SodReading,
  { accessRefs, at, includes = [], contextsMax }: PredictionQuestion,
  nowMs: number,
): Result<PredictionOnReading, PredictionRefusal> {
  const { index, policySetVersion, exceptions } = reading;
  const request = { accessRefs, at, nowMs };
  const basis = { policySetVersion, asOf: textOf(nowMs) };
  const prediction = predict(index, reading, {
    ...request,
    includes,
    ...(contextsMax !== undefined && { contextsMax }),
  });
  if (!prediction.ok) return fail({ failure: prediction.failure, index, basis });
  const coverage = exceptions === null ? null : coverageOf(exceptions, { index, holder: reading, request });
  return ok({ prediction: prediction.value, basis, coverage });
}

interface PredictionSources {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

interface IdentityQuestion extends PredictionQuestion {
  readonly tenant: string;
  readonly identityId: string;
  readonly includes: readonly SodInclude[];
}

/** All violations of a prediction and its optional parts, as of one instant. */
export interface FullPrediction {
  readonly found: FoundPrediction;
  readonly basis: Basis;
  readonly coverage: ExceptionCoverage | null;
  /** Null unless `via` is included and something is violated. */
  readonly explanation: Explanation | null;
  /** Null unless it is included. */
  readonly remediation: Remediation | null;
}

const TRIES_MAX = 300;
const RETRY_MS = 10;

/**
 * Reads what a prediction needs and finds all of it, with pauses; rejects where a pause rejects. A commit between the
 * prediction and its explanation makes it start again, for a few seconds at most. Fails with `tooLarge` beyond the bounds of
 * an explanation.
 */
export async function readPrediction(
  { reader, sod, now }: PredictionSources,
  { tenant, ...question }: IdentityQuestion,
  pause: Pause,
): Promise<Result<FullPrediction, PredictionRefusal | 'tooLarge'>> {
  const { identityId, accessRefs, includes, at } = question;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const nowMs = now();
    const reading = await reader.read(tenant, identityId);
    const predicted = predictOn(reading, question, nowMs);
    if (!predicted.ok) return predicted;
    const { prediction, ...parts } = predicted.value;
    const found = await findAll(prediction, pause);
    const policyIds = includes.length === 0 ? [] : policyIdsOf(found);
    const request = { identityId, accessRefs, includes, policyIds, version: reading };
    const explanation = policyIds.length === 0 ? null : await sod.readExplanation(tenant, request);
    if (explanation === 'tooLarge') return fail(explanation);
    if (explanation !== null || policyIds.length === 0) {
      const accessStates = explanation === null ? [] : accessStatesOf(explanation, { at, nowMs });
      return ok({
        ...parts,
        found,
        explanation: includes.includes('via') ? explanation : null,
        remediation: includes.includes('remediation')
          ? nameSources(
              await inPieces(searchRemediation(found.index, accessStates), pause),
              explanation?.assignments ?? [],
            )
          : null,
      });
    }
    // The reader may learn of commits by other processes a little later than the explanation does.
    await setTimeout(RETRY_MS);
  }
  throw new StorageUnavailable('What explains a prediction changed whenever it was read.');
}

async function findAll(prediction: Prediction, pause: Pause): Promise<FoundPrediction> {
  const violations: FoundPrediction['violations'][number][] = [];
  for (const violation of prediction.violations) {
    // Null for a policy that was evaluated and is not violated.
    if (violation !== null) violations.push(violation);
    const pausing = pause();
    // Awaiting nothing would take longer than finding most violations.
    if (pausing !== undefined) await pausing;
  }
  return { ...prediction, violations };
}

async function inPieces<T>(work: Generator<undefined, T>, pause: Pause): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
}
