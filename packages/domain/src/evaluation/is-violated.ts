import { SOD_POLICY_SIDES_MAX } from '../policy/model.ts';

/**
 * The number of sides of a policy (n, 1 to 10) and the number on which a holder violates it (k). A pair has 2 and 2, a
 * critical-access policy 1 and 1.
 */
export interface ViolationRule {
  readonly sideCount: number;
  readonly atLeast: number;
}

/** The rule of all policies: whether `isOn` is true for at least `atLeast` sides. Sides are numbered from 0. */
export function isViolated({ sideCount, atLeast }: ViolationRule, isOn: (side: number) => boolean): boolean {
  let missing = atLeast;
  for (let side = 0; side < sideCount && missing > 0; side++) if (isOn(side)) missing--;
  return missing === 0;
}

/** The same rule, with a bit for each side of which it is true. */
export const isViolatedOn = (rule: ViolationRule, sides: number): boolean =>
  isViolated(rule, (side) => ((sides >>> side) & 1) === 1);

const ALL = -1;

/**
 * The same rule for 32 cases at once: `casesOn` gives of each side, from 0 on, a word with a bit for each case
 * in which an item of it is there. The word returned has a bit for each case with at least `atLeast` such sides.
 */
export function violatedCases({ sideCount, atLeast }: ViolationRule, casesOn: (side: number) => number): number {
  if (sideCount === atLeast) return casesOnAll(sideCount, casesOn);
  reached.fill(0);
  for (let side = 0; side < sideCount && reached[atLeast] !== ALL; side++) {
    const cases = casesOn(side);
    if (cases === 0) continue;
    for (let count = atLeast; count > 1; count--)
      reached[count] = (reached[count] ?? 0) | ((reached[count - 1] ?? 0) & cases);
    reached[1] = (reached[1] ?? 0) | cases;
  }
  return reached[atLeast] ?? 0;
}

// Entry k: the cases with at least k sides so far. Used within one call only.
const reached = new Int32Array(SOD_POLICY_SIDES_MAX + 1);

function casesOnAll(sideCount: number, casesOn: (side: number) => number): number {
  let cases = ALL;
  for (let side = 0; side < sideCount && cases !== 0; side++) cases &= casesOn(side);
  return cases;
}
