import {
  CHECK_WORK_SECONDS_MAX,
  FIX_PLAN_VIOLATIONS_MAX,
  LONG_CHECKS_MAX,
  REPORT_EXCEPTIONS_MAX,
  REPORT_WORK_MINUTES_MAX,
  REPORTS_AT_ONCE_MAX,
  WEBHOOK_ANSWER_BYTES_MAX,
  WEBHOOK_ANSWER_SECONDS_MAX,
  WEBHOOK_ATTEMPTS_MAX,
  WEBHOOK_ATTEMPTS_OF_TENANT_MAX,
  WEBHOOK_LARGE_BYTES_MAX,
  WEBHOOK_LARGE_BYTES_OF_TENANT_MAX,
  WEBHOOK_RETRY_DELAYS_MS,
} from '../limits.ts';
import { bytes, limit, type PublishedLimit, REPORT_ENDS } from './limit-row.ts';

const ATTEMPT_FAILS = 'the attempt fails, and is repeated later';

/** The limits of what workers do. */
export const WORKER_LIMITS = {
  checkWork: limit('Work of a worker on a check', `${CHECK_WORK_SECONDS_MAX} s`, 'the check ends in `ERROR`'),
  reportWork: limit('Work of a worker on a report', `${REPORT_WORK_MINUTES_MAX} minutes`, REPORT_ENDS),
  reportExceptions: limit('Approved exceptions that a report keeps in memory', REPORT_EXCEPTIONS_MAX, REPORT_ENDS),
  fixPlanViolations: limit('Violations that a fix plan is about', FIX_PLAN_VIOLATIONS_MAX, REPORT_ENDS),
  longChecks: limit(
    'Checks with `include` that are under way in one worker at the same time, each of another tenant',
    LONG_CHECKS_MAX,
    'waits its turn',
  ),
  reportsAtOnce: limit(
    'Reports that are under way in one worker at the same time, each of another tenant',
    REPORTS_AT_ONCE_MAX,
    'waits its turn',
  ),
  webhookAttempts: limit(
    `Attempts of deliveries that one worker makes at the same time; of one tenant at most ${WEBHOOK_ATTEMPTS_OF_TENANT_MAX}`,
    WEBHOOK_ATTEMPTS_MAX,
    'waits its turn',
  ),
  webhookLargeEvents: limit(
    `Events of more than 64 KiB that one worker delivers at the same time, together; of one tenant at most ${bytes(WEBHOOK_LARGE_BYTES_OF_TENANT_MAX)}, or one event`,
    bytes(WEBHOOK_LARGE_BYTES_MAX),
    'waits its turn',
  ),
  webhookTime: limit('Time in which a receiver answers a delivery', `${WEBHOOK_ANSWER_SECONDS_MAX} s`, ATTEMPT_FAILS),
  webhookAnswer: limit('Answer of a receiver that is read', bytes(WEBHOOK_ANSWER_BYTES_MAX), 'closed unread'),
  webhookRetries: limit('Attempts of a delivery', WEBHOOK_RETRY_DELAYS_MS.length + 1, 'the delivery ends in `FAILED`'),
} as const satisfies Record<string, PublishedLimit>;
