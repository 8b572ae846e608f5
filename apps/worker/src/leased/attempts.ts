/** How often a check, a report or a step of a load is tried. The last failure is final. */
export const ATTEMPTS_MAX = 5;

/** The message of work that has failed for good. */
export const failedForGood = (kind: string): string => `The ${kind} failed ${ATTEMPTS_MAX} times.`;

/** The delay after a failed attempt, which doubles from the first attempt on. */
export const retryDelayMs = (attempts: number, firstMs: number): number => firstMs * 2 ** (attempts - 1);
