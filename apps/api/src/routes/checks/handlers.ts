import { ok } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import type { SodReader } from '@access-admin/store';
import { CHECK_ORDER, type CheckQueue } from '@access-admin/store';
import type { SignJson } from '../../auth/sign-json.ts';
import type { Jobs } from '../../event-loop/jobs.ts';
import { answerCursorList } from '../../operations/answers.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import type { ListOrder } from '../answers/cursor.ts';
import { createAnswerCheck } from './answer.ts';
import { getCheckReceipt } from './receipt.ts';
import type { CheckResults } from './results.ts';
import { getViolationCheck, startViolationCheck } from './start.ts';
import type { AwaitCheck } from './wait.ts';

export interface CheckParts {
  readonly checks: CheckQueue;
  readonly reader: SodReader;
  readonly awaitCheck: AwaitCheck;
  readonly jobs: Jobs;
  /** The counts of lists under way. */
  readonly counting: Semaphore;
  readonly signJson: SignJson;
  readonly results: CheckResults;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The operations on checks. */
export function checkHandlers({
  checks,
  reader,
  awaitCheck,
  jobs,
  counting,
  signJson,
  results,
  baseAddress,
  now,
  newId,
}: CheckParts) {
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
    'get-violation-check-receipt-v1': getCheckReceipt({ checks, results, jobs, signJson }),
  } satisfies Partial<OperationHandlers>;
}

const NEWEST_FIRST: ListOrder = {
  keys: CHECK_ORDER,
  isValue: (column, value) =>
    typeof value === 'string' &&
    (column === 'created' ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ : /^[0-9a-f-]{36}$/).test(value),
};
