import { setTimeout } from 'node:timers/promises';
import type { Explanation, TimedAccessRef } from '@access-admin/domain';
import type { ExplanationSource } from '../source/source.ts';
import type { SodReader, SodReading } from './sod-reader.ts';

/** The question of a prediction that is to be explained. */
export interface PredictionRequest {
  readonly tenant: string;
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
}

/** The outcome of a prediction on a reading. */
export interface Prediction<T> {
  readonly outcome: T;
  /** The policies whose violations are to be explained. */
  readonly policyIds: readonly string[];
}

/** A prediction and its explanation, as of one instant. */
export interface ExplainedReading<T> {
  readonly reading: SodReading;
  readonly outcome: T;
  /** Null when no violation is to be explained. */
  readonly explanation: Explanation | null;
}

const TRIES_MAX = 300;
const PAUSE_MS = 10;

/**
 * Predicts and reads the explanation of the outcome. A commit in between makes it start again, for some seconds at most;
 * null when there was one at every try.
 */
export async function readExplained<T>(
  { reader, sod }: { readonly reader: SodReader; readonly sod: ExplanationSource },
  { tenant, identityId, accessRefs }: PredictionRequest,
  predict: (reading: SodReading) => Prediction<T> | Promise<Prediction<T>>,
): Promise<ExplainedReading<T> | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const reading = await reader.read(tenant, identityId);
    const { outcome, policyIds } = await predict(reading);
    if (policyIds.length === 0) return { reading, outcome, explanation: null };
    const request = { identityId, accessRefs, policyIds, version: reading };
    const explanation = await sod.readExplanation(tenant, request);
    if (explanation !== null) return { reading, outcome, explanation };
    // The reader may learn of commits by other processes a little later than the explanation does.
    await setTimeout(PAUSE_MS);
  }
  return null;
}
