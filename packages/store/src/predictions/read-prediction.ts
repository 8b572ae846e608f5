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
  type PendingReservation,
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
import type { ReservationStore } from '../governance/reservations/store.ts';
import type { SodStore } from '../policies/rulebook/sod-store.ts';
import type { IdentityVersion } from '../policies/rulebook/versions.ts';
import type { SodReader, SodReading } from './sod-reader.ts';

export interface PredictionQuestion {
  readonly accessRefs: readonly TimedAccessRef[];
  /** The only instant that counts; every instant from now on without one. */
  readonly at?: string | null | undefined;
  readonly includes?: readonly SodInclude[];
  /** The live reservations that count as requested before; none if left out. */
  readonly pending?: readonly PendingReservation[];
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
  { accessRefs, at, includes = [], pending = [], contextsMax }: PredictionQuestion,
  nowMs: number,
): Result<PredictionOnReading, PredictionRefusal> {
  const { index, policySetVersion, exceptions } = reading;
  const request = { accessRefs, pending, at, nowMs };
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
  readonly reservations: Pick<ReservationStore, 'readPending'>;
  /** Milliseconds since 1970. */
  now(): number;
}

interface IdentityQuestion extends PredictionQuestion {
  readonly tenant: string;
  readonly identityId: string;
  readonly includes: readonly SodInclude[];
  /** Whether live reservations count: as the includes say if left out. */
  readonly countsPending?: boolean;
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
  /** The data that it is based on, with the live reservations that count. */
  readonly version: IdentityVersion;
  readonly pending: readonly PendingReservation[];
}

const TRIES_MAX = 300;
const RETRY_MS = 10;

/**
 * Reads what a prediction needs and finds all of it, with pauses; rejects where a pause rejects. A commit between the
 * prediction and its reservations or its explanation makes it start again, for a few seconds at most. Fails with `tooLarge` beyond the bounds of
 * an explanation.
 */
export async function readPrediction(
  { reader, sod, reservations, now }: PredictionSources,
  { tenant, ...question }: IdentityQuestion,
  pause: Pause,
): Promise<Result<FullPrediction, PredictionRefusal | 'tooLarge'>> {
  const { identityId, accessRefs, includes, countsPending = includes.includes('pending'), at } = question;
  const isExplained = includes.some((include) => include !== 'pending');
  // The reader may learn of commits by other processes a little later than what is read beside it does.
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tries > 0) await setTimeout(RETRY_MS);
    const nowMs = now();
    const version = await reader.read(tenant, identityId);
    const pending = countsPending
      ? await reservations.readPending(tenant, { identityId, version, now: textOf(nowMs) })
      : [];
    if (pending === null) continue;
    const predicted = predictOn(version, { ...question, pending }, nowMs);
    if (!predicted.ok) return predicted;
    const { prediction, ...parts } = predicted.value;
    const found = await findAll(prediction, pause);
    const policyIds = isExplained ? policyIdsOf(found) : [];
    const pendingRefs = pending.flatMap((reservation) => reservation.accessRefs);
    const request = { identityId, accessRefs, pendingRefs, includes, policyIds, version };
    const explanation = policyIds.length === 0 ? null : await sod.readExplanation(tenant, request);
    if (explanation === 'tooLarge') return fail(explanation);
    if (explanation !== null || policyIds.length === 0) {
      const accessStates = explanation === null ? [] : accessStatesOf(explanation, { at, nowMs });
      return ok({
        ...parts,
        found,
        version,
        pending,
        explanation: includes.includes('via') ? explanation : null,
        remediation: includes.includes('remediation')
          ? nameSources(
              await inPieces(searchRemediation(found.index, accessStates), pause),
              explanation?.assignments ?? [],
            )
          : null,
      });
    }
  }
  throw new StorageUnavailable('What a prediction is based on changed whenever it was read.');
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
