import { CHECK_WORK_SECONDS_MAX } from '@access-admin/contract';

/** The most work of the worker on one check, in milliseconds. */
export const CHECK_WORK_MS_MAX = CHECK_WORK_SECONDS_MAX * 1_000;

// Messages of checks that end in ERROR, for their readers.
export const CHECK_TOO_LONG = `The check needs more than ${CHECK_WORK_SECONDS_MAX} s of work.`;
export const CHECK_NOT_STORABLE = 'The result of the check cannot be stored.';
