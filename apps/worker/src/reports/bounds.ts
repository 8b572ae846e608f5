import { FIX_PLAN_VIOLATIONS_MAX, REPORT_EXCEPTIONS_MAX, REPORT_WORK_MINUTES_MAX } from '@access-admin/contract';

/** The most work of the worker on one report, in milliseconds. */
export const REPORT_WORK_MS_MAX = REPORT_WORK_MINUTES_MAX * 60_000;

// Messages of reports that end in ERROR, for their readers.
export const REPORT_TOO_LONG = `The report needs more than ${REPORT_WORK_MINUTES_MAX} min of work.`;
export const REPORT_TOO_MANY_EXCEPTIONS = `The report needs more memory than it has: there are more than ${REPORT_EXCEPTIONS_MAX} approved exceptions.`;
export const FIX_PLAN_TOO_MANY_VIOLATIONS = `The fix plan needs more memory than it has: it is about more than ${FIX_PLAN_VIOLATIONS_MAX} violations. Ask for fewer levels, policies or identities.`;
