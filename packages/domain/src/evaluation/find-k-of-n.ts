import type { WidePolicies } from '../rulebook/k-of-n-policies.ts';
import { isHeldOrGained, type MarkedAccess } from './marked-access.ts';

/** What `judgeOwnSides` reads and writes. */
export interface WideWalk {
  readonly wide: WidePolicies;
  readonly access: MarkedAccess;
  /** A mark per k-of-n policy. */
  readonly judged: Uint8Array;
  readonly judgedMark: number;
  /** The numbers of the policies found violated, unordered. */
  readonly violated: number[];
}

/** Judges the policies of a stretch of the sides that a gained entitlement is on, each once. */
export function judgeOwnSides(
  { wide, access, judged, judgedMark, violated }: WideWalk,
  from: number,
  end: number,
): void {
  const { ownSides, places, numbers } = wide;
  for (let at = from; at < end; at++) {
    const place = places[ownSides.values[at] ?? 0] ?? 0;
    if (judged[place] === judgedMark) continue;
    judged[place] = judgedMark;
    if (isViolated(wide, place, access)) violated.push(numbers[place] ?? 0);
  }
}

function isViolated({ sides, sideStarts, atLeast }: WidePolicies, place: number, access: MarkedAccess): boolean {
  let missing = atLeast[place] ?? 0;
  const end = sideStarts[place + 1] ?? 0;
  for (let row = sideStarts[place] ?? 0; row < end && missing > 0; row++) {
    if (isHeldOrGained({ rows: sides, row }, access)) missing--;
  }
  return missing === 0;
}
