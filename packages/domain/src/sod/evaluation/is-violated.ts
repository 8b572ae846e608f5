import { SOD_POLICY_SIDES_MAX } from '../../governance/policies/model.ts';
import type { CsrRows } from '../collections/csr-rows.ts';
import type { MarkedAccess } from './scratch.ts';

/**
 * The number of sides of a policy (n, 1 to 10) and the number on which a holder violates it (k). A pair has 2 and 2, a
 * critical-access policy 1 and 1.
 */
export interface ViolationRule {
  readonly sideCount: number;
  readonly atLeast: number;
}

const ALL = -1;

/**
 * The rule of all policies, at least k of n sides, for 32 cases at once: `casesOn` gives of each side, from 0 on, a word with
 * a bit for each case in which an item of it is there. The word returned has a bit for each case with at least `atLeast` such
 * sides.
 */
export function violatedCases({ sideCount, atLeast }: ViolationRule, casesOn: (side: number) => number): number {
  if (sideCount === 2 && atLeast === 2) return pairCases(casesOn);
  for (let count = 0; count <= atLeast; count++) reached[count] = 0;
  let off = 0;
  for (let side = 0; side < sideCount && reached[atLeast] !== ALL; side++) {
    const cases = casesOn(side);
    if (cases === 0 && ++off > sideCount - atLeast) return 0;
    for (let count = atLeast; count > 1; count--)
      reached[count] = (reached[count] ?? 0) | ((reached[count - 1] ?? 0) & cases);
    reached[1] = (reached[1] ?? 0) | cases;
  }
  return reached[atLeast] ?? 0;
}

/** The rule for pairs, as most policies are: an item of both sides. */
function pairCases(casesOn: (side: number) => number): number {
  const cases = casesOn(0);
  return cases === 0 ? 0 : cases & casesOn(1);
}

// Entry k: the cases with at least k sides so far. Used within one call only.
const reached = new Int32Array(SOD_POLICY_SIDES_MAX + 1);

/** Whether a rule is violated in one case: `isOn` is true for at least `atLeast` of its sides, which are numbered from 0. */
export const isViolated = (rule: ViolationRule, isOn: (side: number) => boolean): boolean =>
  violatedCases(rule, (side) => (isOn(side) ? ALL : 0)) === ALL;

/**
 * The rule for pairs, of which one side is known to be on: whether an item of the other one is held or gained too. `side` is
 * its row. Most policies are pairs, and this takes a fraction of the time.
 */
export function isPairViolated({ starts, values }: CsrRows, side: number, { marks, heldMark }: MarkedAccess): boolean {
  const end = starts[side + 1] ?? 0;
  let item = starts[side] ?? 0;
  while (item < end && (marks[values[item] ?? 0] ?? 0) < heldMark) item++;
  return item < end;
}
