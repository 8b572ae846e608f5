import { type AssignmentIndex, findRef, type Gain, holdersOf } from '@access-admin/domain';
import type { Population } from './population.ts';
import type { PreparedReport } from './prepare.ts';

/** The holders that a report covers; null for all. */
export function affectedHolders(
  holdings: AssignmentIndex,
  { affectedRefs }: Pick<PreparedReport, 'affectedRefs'>,
  refs: Population['refs'],
): Uint32Array | null {
  if (affectedRefs === null) return null;
  const numbers = affectedRefs.map((ref) => findRef(refs, ref)).filter((number) => number >= 0);
  return holdersOf(holdings, numbers);
}

/** What these holders gain; null for a report about no gain. */
export const gainOf = ({ evaluator }: PreparedReport, holders: Uint32Array | null): Gain | null =>
  evaluator.gained === null || holders === null ? null : { entitlements: evaluator.gained, holders };
