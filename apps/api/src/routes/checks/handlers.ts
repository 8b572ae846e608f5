import { ok } from '@access-admin/domain';
import type { SodReader } from '@access-admin/store';
import { CHECK_ORDER, type CheckQueue } from '@access-admin/store';
import type { SignJson } from '../../auth/sign-json.ts';
import type { Pace } from '../../event-loop/pace.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import type { SharedRoom } from '../../rooms/shared-room.ts';
import type { RoomMetrics } from '../../telemetry/room-metrics.ts';
import type { ListOrder } from '../answers/cursor.ts';
import { answerCursorList } from '../answers/cursor-list.ts';
import { createAnswerCheck } from './answer.ts';
import { getCheckReceipt } from './receipt.ts';
import { createCheckResults } from './results.ts';
import { getViolationCheck, startViolationCheck } from './start.ts';
import type { AwaitCheck } from './wait.ts';

export interface CheckParts {
  readonly checks: CheckQueue;
  readonly reader: SodReader;
  readonly awaitCheck: AwaitCheck;
  readonly pace: Pace;
  /** The counts of lists under way. */
  readonly counting: SharedRoom;
  readonly signJson: SignJson;
  readonly metrics: RoomMetrics;
  readonly baseAddress: string;
  readonly now: () => Date;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly newId: () => string;
}

/** The operations on checks. */
export function checkHandlers({
  checks,
  reader,
  awaitCheck,
  pace,
  counting,
  signJson,
  metrics,
  baseAddress,
  now,
  elapsed,
  newId,
}: CheckParts) {
  const results = createCheckResults({ readResult: checks.readResult, elapsed, metrics });
  return {
    'start-violation-check-v1': startViolationCheck({ reader, checks, now, newId }),
    'list-violation-checks-v1': (request) => {
      const { tenant } = request.caller;
      const { filters } = request.query;
      return answerCursorList(
        request,
        { baseAddress, counting },
        {
          order: NEWEST_FIRST,
          read: async (page) => {
            const { checks: rows, next } = await checks.list(tenant, filters, page);
            return ok({ rows, next });
          },
          count: async () => ({ count: await checks.count(tenant, filters), isExact: true }),
        },
      );
    },
    'get-violation-check-v1': getViolationCheck(awaitCheck, createAnswerCheck(results)),
    'get-violation-check-receipt-v1': getCheckReceipt({ checks, results, pace, signJson }),
  } satisfies Partial<OperationHandlers>;
}

const NEWEST_FIRST: ListOrder = {
  keys: CHECK_ORDER,
  isValue: (column, value) =>
    typeof value === 'string' &&
    (column === 'created' ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ : /^[0-9a-f-]{36}$/).test(value),
};
