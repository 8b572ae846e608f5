import type { Store } from '@access-admin/store';
import type { OperationHandlers } from '../../operations/operation.ts';
import type { RoomMetrics } from '../../telemetry/room-metrics.ts';
import type { AwaitCheck } from './await-check.ts';
import { getViolationCheck, type StartCheckDeps, startViolationCheck } from './check.ts';
import { createAnswerCheck } from './check-answer.ts';
import { type CheckReceiptDeps, getCheckReceipt } from './check-receipt.ts';
import { createCheckResults } from './check-results.ts';
import { type ExplainDeps, predictSodViolations } from './predict.ts';
import { predictBatch } from './predict-batch.ts';

export interface SodViolationDeps
  extends Omit<ExplainDeps, 'sod'>,
    Omit<StartCheckDeps, 'checks'>,
    Pick<CheckReceiptDeps, 'signJson'> {
  readonly store: Pick<Store, 'sod' | 'checks'>;
  readonly awaitCheck: AwaitCheck;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly metrics: RoomMetrics;
}

export function sodViolationHandlers({ store: { sod, checks }, awaitCheck, ...deps }: SodViolationDeps) {
  const results = createCheckResults({ ...checks, elapsed: deps.elapsed, metrics: deps.metrics });
  return {
    'start-predict-sod-violations-v1': predictSodViolations({ ...deps, sod }),
    'start-predict-sod-violations-batch-v1': predictBatch({ ...deps, sod }),
    'start-violation-check-v1': startViolationCheck({ ...deps, checks }),
    'get-violation-check-v1': getViolationCheck(awaitCheck, createAnswerCheck(results)),
    'get-violation-check-receipt-v1': getCheckReceipt({ ...deps, checks, results }),
  } satisfies Partial<OperationHandlers>;
}
