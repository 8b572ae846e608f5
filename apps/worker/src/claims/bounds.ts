import { CHECK_WORK_SECONDS_MAX, REPORT_EXCEPTIONS_MAX, REPORT_WORK_MINUTES_MAX } from '@access-admin/domain';

/** The most work of the worker on one check and on one report, in milliseconds. */
export const CHECK_WORK_MS_MAX = CHECK_WORK_SECONDS_MAX * 1_000;
export const REPORT_WORK_MS_MAX = REPORT_WORK_MINUTES_MAX * 60_000;

// Messages of checks and reports that end in ERROR, for their readers.
export const CHECK_TOO_LONG = `The check needs more than ${CHECK_WORK_SECONDS_MAX} s of work.`;
export const CHECK_NOT_STORABLE = 'The result of the check cannot be stored.';
export const REPORT_TOO_LONG = `The report needs more than ${REPORT_WORK_MINUTES_MAX} min of work.`;
export const REPORT_TOO_MANY_EXCEPTIONS = `The report needs more memory than it has: there are more than ${REPORT_EXCEPTIONS_MAX} approved exceptions.`;
