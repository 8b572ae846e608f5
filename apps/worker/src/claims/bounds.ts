/** The most work of one check, in milliseconds that the worker spends on it. */
export const CHECK_WORK_MS_MAX = 30_000;

/** The most work of one report, in milliseconds that the worker spends on it. */
export const REPORT_WORK_MS_MAX = 10 * 60_000;

export const CHECK_TOO_LONG = `The check needs more than ${CHECK_WORK_MS_MAX / 1_000} s of work.`;
export const CHECK_NOT_STORABLE = 'The result of the check cannot be stored.';
export const REPORT_TOO_LONG = `The report needs more than ${REPORT_WORK_MS_MAX / 60_000} min of work.`;
