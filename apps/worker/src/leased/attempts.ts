/** How often a check or a report is tried. The last failure is final. */
export const ATTEMPTS_MAX = 5;

/** The message of a check or report that has failed for good. */
export const failedForGood = (kind: 'check' | 'report'): string => `The ${kind} failed ${ATTEMPTS_MAX} times.`;

/** The delay after a failed attempt, which doubles from attempt to attempt. */
export const retryDelayMs = (attempts: number, firstMs: number): number => firstMs * 2 ** attempts;
