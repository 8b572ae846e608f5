// What one worker does at most. The pages of limits say so to callers.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The most work of a worker on one check, in seconds. */
export const CHECK_WORK_SECONDS_MAX = 30;

/** The most checks of more than some milliseconds that one worker has under way at the same time, each of another tenant. */
export const LONG_CHECKS_MAX = 3;

/** The most work of a worker on one report, in minutes. */
export const REPORT_WORK_MINUTES_MAX = 10;

/** The most reports that one worker makes at the same time, each of another tenant. */
export const REPORTS_AT_ONCE_MAX = 4;

/** The most approved exceptions that a report keeps in memory. */
export const REPORT_EXCEPTIONS_MAX = 200_000;

/** The most attempts that one worker makes at the same time, of all tenants and of one. */
export const WEBHOOK_ATTEMPTS_MAX = 512;
export const WEBHOOK_ATTEMPTS_OF_TENANT_MAX = 128;

/** The most bytes of large events that one worker has in memory for deliveries, of all tenants and of one. */
export const WEBHOOK_LARGE_BYTES_MAX = 64 * 1024 * 1024;
export const WEBHOOK_LARGE_BYTES_OF_TENANT_MAX = 16 * 1024 * 1024;

/** In how many seconds a receiver has to answer. */
export const WEBHOOK_ANSWER_SECONDS_MAX = 15;

/** How much of the answer of a receiver is read, in bytes. */
export const WEBHOOK_ANSWER_BYTES_MAX = 64 * 1024;

/** The delays after the first failed attempt, the second and so on, in milliseconds. */
export const WEBHOOK_RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
