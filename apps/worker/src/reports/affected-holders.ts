import { type AccessRef, type AssignmentIndex, findRef, type Gain, holdersOf } from '@access-admin/domain';
import type { Population } from './population.ts';
import type { PreparedReport } from './prepare.ts';

/** Those whom a report is about by what they hold; null where it is about everybody. */
export function concernedHolders(
  holdings: AssignmentIndex,
  { concerned, refs }: { readonly concerned: readonly AccessRef[] | null; readonly refs: Population['refs'] },
): Uint32Array | null {
  if (concerned === null) return null;
  const numbers = concerned.map((ref) => findRef(refs, ref)).filter((number) => number >= 0);
  return holdersOf(holdings, numbers);
}

/** What they gain; null where nobody gains anything. */
export const gainOf = ({ judge }: PreparedReport, holders: Uint32Array | null): Gain | null =>
  judge.gained === null || holders === null ? null : { entitlements: judge.gained, holders };
