import { setTimeout } from 'node:timers/promises';
import type { Explanation, SodInclude, TimedAccessRef } from '@access-admin/domain';
import type { SodStore } from '../rulebook/sod-store.ts';
import type { SodReader, SodReading } from './sod-reader.ts';

/** The question of a prediction that is to be explained. */
export interface PredictionRequest {
  readonly tenant: string;
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  /** What is to be explained; everything if left out. */
  readonly includes?: readonly SodInclude[];
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
  /** Null when no violation is to be explained; `tooLarge` beyond the bounds of an explanation. */
  readonly explanation: Explanation | 'tooLarge' | null;
}

const TRIES_MAX = 300;
const PAUSE_MS = 10;

interface ExplainedSources {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Predicts and reads the explanation of the outcome. A commit in between makes it start again, for some seconds at most;
 * null when there was one at every try. The prediction receives the time before its data were read, which it may tell: what
 * is committed later may be missing.
 */
export async function readExplained<T>(
  { reader, sod, now }: ExplainedSources,
  { tenant, ...asked }: PredictionRequest,
  predict: (reading: SodReading, nowMs: number) => Prediction<T> | Promise<Prediction<T>>,
): Promise<ExplainedReading<T> | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const nowMs = now();
    const reading = await reader.read(tenant, asked.identityId);
    const { outcome, policyIds } = await predict(reading, nowMs);
    if (policyIds.length === 0) return { reading, outcome, explanation: null };
    const request = { ...asked, policyIds, version: reading };
    const explanation = await sod.readExplanation(tenant, request);
    if (explanation !== null) return { reading, outcome, explanation };
    // The reader may learn of commits by other processes a little later than the explanation does.
    await setTimeout(PAUSE_MS);
  }
  return null;
}
