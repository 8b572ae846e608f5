import type { CheckCompletion } from '@access-admin/store';
import type { CheckConclusion, HeldCheck } from './held.ts';

/** A result that is not stored yet. */
export interface UnstoredResult {
  readonly check: HeldCheck;
  readonly completion: CheckCompletion;
  readonly verdict: CheckConclusion['verdict'];
  /** The characters that it takes in a statement. */
  readonly length: number;
  /** How often the storage has refused it alone. */
  refusals: number;
  /** Whether another transaction was numbering the events of its tenant at its latest try. */
  isLocked: boolean;
  /** Whether it stands for one that cannot be stored. */
  readonly isReplacement: boolean;
}

// Of the columns beside the result, about.
const ROW_LENGTH = 200;

export function createResult(
  check: HeldCheck,
  { verdict, ...outcome }: CheckConclusion,
  { nowMs, isReplacement }: { readonly nowMs: number; readonly isReplacement: boolean },
): UnstoredResult {
  const { tenant, requestId, created, fence } = check.claim;
  return {
    check,
    completion: { tenant, requestId, created, fence, completed: new Date(nowMs).toISOString(), ...outcome },
    verdict,
    length: ROW_LENGTH + outcome.result.length,
    refusals: 0,
    isLocked: false,
    isReplacement,
  };
}

const GROUP_MAX = 100;
/** The characters of the results that one statement stores. */
export const GROUP_LENGTH_MAX = 4 * 2 ** 20;

/** The first results that fit into one statement, one at least. */
export function firstGroup(results: readonly UnstoredResult[]): readonly UnstoredResult[] {
  let total = 0;
  const end = results.findIndex(({ length }, at) => {
    total += length;
    return at > 0 && (at === GROUP_MAX || total > GROUP_LENGTH_MAX);
  });
  return results.slice(0, end < 0 ? undefined : end);
}
