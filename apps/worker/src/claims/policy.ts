/** How often a check or a report is tried. The last failure is final. */
export const ATTEMPTS_MAX = 5;

/** The message of a check or report that has failed for good. */
export const failedForGood = (kind: 'check' | 'report'): string => `The ${kind} failed ${ATTEMPTS_MAX} times.`;

/** The delay after a failed attempt, which doubles from attempt to attempt. */
export const retryDelayMs = (attempts: number, firstMs: number): number => firstMs * 2 ** attempts;

/** Runs work at most once per period; the clock may jump either way. `work` resolves with whether there may be more at once. */
export function createPeriodicSweep(
  now: () => number,
  periodMs: number,
  work: (nowMs: number) => Promise<boolean>,
): () => Promise<boolean> {
  let sweptMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    if (Math.abs(nowMs - sweptMs) < periodMs) return false;
    if (await work(nowMs)) return true;
    sweptMs = nowMs;
    return false;
  };
}
