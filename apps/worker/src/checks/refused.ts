import type { UnstoredResult } from './results.ts';

/** Results that the storage has refused for now, although it accepts smaller writes. */
export interface Refused {
  /** Keeps a result for its next attempt; false when the results kept take too much memory. */
  add(result: UnstoredResult, nowMs: number): boolean;
  isDue(nowMs: number): boolean;
  /** Takes the results whose next attempt is due. */
  takeDue(nowMs: number): readonly UnstoredResult[];
}

interface RefusedResult {
  readonly result: UnstoredResult;
  readonly refusedMs: number;
  readonly delayMs: number;
}

const RETRY_FIRST_MS = 100;
/** The most characters of the results that are kept. One is kept whatever its length. */
const REFUSED_LENGTH_MAX = 32 * 2 ** 20;

/** Attempts follow at once, then at growing intervals, `retryMsMax` at most, so that the lease does not end between them. */
export function createRefused(retryMsMax: number): Refused {
  let refused: readonly RefusedResult[] = [];
  const isPast = ({ refusedMs, delayMs }: RefusedResult, nowMs: number) => Math.abs(nowMs - refusedMs) >= delayMs;
  return {
    add: (result, nowMs) => {
      const length = refused.reduce((sum, kept) => sum + kept.result.length, 0);
      if (refused.length > 0 && length + result.length > REFUSED_LENGTH_MAX) return false;
      const delayMs = result.refusals === 0 ? 0 : Math.min(RETRY_FIRST_MS * 2 ** (result.refusals - 1), retryMsMax);
      result.refusals += 1;
      refused = [...refused, { result, refusedMs: nowMs, delayMs }];
      return true;
    },
    isDue: (nowMs) => refused.some((each) => isPast(each, nowMs)),
    takeDue: (nowMs) => {
      const due = refused.filter((each) => isPast(each, nowMs));
      if (due.length > 0) refused = refused.filter((each) => !due.includes(each));
      return due.map(({ result }) => result);
    },
  };
}
