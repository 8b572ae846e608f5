import type { OperationHandlers } from '../../operations/operation.ts';
import { type PredictDeps, predictSodViolations } from './predict.ts';
import { predictBatch } from './predict-batch.ts';

/** The operations on predictions. */
export const predictionHandlers = (deps: PredictDeps) =>
  ({
    'start-predict-sod-violations-v1': predictSodViolations(deps),
    'start-predict-sod-violations-batch-v1': predictBatch(deps),
  }) satisfies Partial<OperationHandlers>;
