import type { CheckCompletion } from '@access-admin/store';
import type { HeldCheck } from './underway.ts';

/** A result that is not stored yet. */
export interface UnstoredResult {
  readonly check: HeldCheck;
  readonly completion: CheckCompletion;
  /** The characters that it takes in a statement. */
  readonly length: number;
  /** How often the storage has refused it alone. */
  refusals: number;
  /** Whether it stands for one that cannot be stored. */
  readonly isReplacement: boolean;
}

/** Results in order of their time, to be stored in groups. */
export interface Results {
  readonly count: number;
  /** Whether they should be stored now, to be soon or to limit memory. */
  isDue(nowMs: number): boolean;
  add(result: Omit<UnstoredResult, 'length'>, nowMs: number): void;
  /** The next group: the first results that fit into one statement, one at least. */
  group(): readonly UnstoredResult[];
  remove(group: readonly UnstoredResult[]): void;
  /** All results of these tenants. */
  of(tenants: ReadonlySet<string>): readonly UnstoredResult[];
}

/** An outcome waits about this long for others to share its commit, and for the slice that runs then. */
export const STORE_AFTER_MS = 25;
const GROUP_MAX = 100;
// Characters of the results that one statement stores, and after which they are stored at once.
const GROUP_LENGTH_MAX = 4 * 2 ** 20;
// Of the other columns, about.
const ROW_LENGTH = 200;

export function createResults(): Results {
  let results: UnstoredResult[] = [];
  let [length, sinceMs] = [0, 0];
  return {
    get count() {
      return results.length;
    },
    isDue: (nowMs) => results.length > 0 && (length >= GROUP_LENGTH_MAX || Math.abs(nowMs - sinceMs) >= STORE_AFTER_MS),
    add: (given, nowMs) => {
      const result = { ...given, length: ROW_LENGTH + given.completion.result.length };
      if (results.length === 0) sinceMs = nowMs;
      results.push(result);
      length += result.length;
    },
    group: () => {
      let total = 0;
      const end = results.findIndex((result, place) => {
        total += result.length;
        return place > 0 && (place === GROUP_MAX || total > GROUP_LENGTH_MAX);
      });
      return results.slice(0, end < 0 ? undefined : end);
    },
    remove: (group) => {
      const removed = new Set(group);
      results = results.filter((result) => !removed.has(result));
      length = results.reduce((sum, result) => sum + result.length, 0);
    },
    of: (tenants) => results.filter(({ completion }) => tenants.has(completion.tenant)),
  };
}
