import { type AssignmentIndex, findRef, type Gain, holdersOf } from '@access-admin/domain';
import type { Population } from './population.ts';
import type { PreparedReport } from './prepare.ts';

/** The numbers of the refs whose holders a report covers; null for all holders. */
export const affectedRefs = (
  { affectedRefs: refs }: Pick<PreparedReport, 'affectedRefs'>,
  table: Population['refs'],
): readonly number[] | null =>
  refs === null ? null : refs.map((ref) => findRef(table, ref)).filter((number) => number >= 0);

/** The holders that a report covers; null for all. */
export function affectedHolders(
  holdings: AssignmentIndex,
  prepared: Pick<PreparedReport, 'affectedRefs'>,
  table: Population['refs'],
): Uint32Array | null {
  const refs = affectedRefs(prepared, table);
  return refs === null ? null : holdersOf(holdings, refs);
}

/** What these holders gain; null for a report about no gain. */
export const gainOf = ({ evaluator }: PreparedReport, holders: Uint32Array | null): Gain | null =>
  evaluator.gained === null || holders === null ? null : { entitlements: evaluator.gained, holders };
