import { setTimeout } from 'node:timers/promises';
import type { Explanation } from '@access-admin/domain';
import { StorageUnavailable } from '../engine/errors.ts';
import type { ExplanationRequest } from '../rulebook/explanation.ts';
import type { SodStore } from '../rulebook/sod-store.ts';
import type { SodReader, SodReading } from './sod-reader.ts';

/** Which prediction is to be explained. */
export interface PredictionRequest extends Pick<ExplanationRequest, 'identityId' | 'accessRefs'> {
  readonly tenant: string;
}

/** What was predicted on a reading. */
export interface Prediction<T> {
  readonly outcome: T;
  /** The policies whose violations are to be explained. */
  readonly policyIds: readonly string[];
}

/** A prediction and what explains it, all as of one moment. */
export interface ExplainedReading<T> {
  readonly reading: SodReading;
  readonly outcome: T;
  /** Null where there is nothing to explain. */
  readonly explanation: Explanation | null;
}

const TRIES_MAX = 300;
const PAUSE_MS = 10;

/**
 * Predicts, and reads what explains the outcome; again where a commit has come in between, for some seconds at most: then
 * `StorageUnavailable`.
 */
export async function readExplained<T>(
  { reader, sod }: { readonly reader: SodReader; readonly sod: Pick<SodStore, 'readExplanation'> },
  { tenant, identityId, accessRefs }: PredictionRequest,
  predict: (reading: SodReading) => Prediction<T> | Promise<Prediction<T>>,
): Promise<ExplainedReading<T>> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const reading = await reader.read(tenant, identityId);
    const { outcome, policyIds } = await predict(reading);
    if (policyIds.length === 0) return { reading, outcome, explanation: null };
    const request = { identityId, accessRefs, policyIds, version: reading };
    const explanation = await sod.readExplanation(tenant, request);
    if (explanation !== null) return { reading, outcome, explanation };
    // A reader may learn of what others commit a little later than whoever looks.
    await setTimeout(PAUSE_MS);
  }
  throw new StorageUnavailable('What explains a prediction changed whenever it was read.');
}
