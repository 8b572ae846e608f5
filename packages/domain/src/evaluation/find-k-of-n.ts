import type { KOfNPolicies } from '../rulebook/k-of-n-policies.ts';
import { isHeldOrGained, type MarkedAccess } from './marked-access.ts';

/** What `evaluateSides` reads and writes. */
export interface KOfNWalk {
  readonly wide: KOfNPolicies;
  readonly access: MarkedAccess;
  /** A mark per k-of-n policy. */
  readonly judged: Uint8Array;
  readonly judgedMark: number;
  /** The numbers of the policies found violated, unordered. */
  readonly violated: number[];
}

/** Judges the policies of a stretch of the sides that a gained entitlement is on, each once. */
export function evaluateSides(
  { wide, access, judged, judgedMark, violated }: KOfNWalk,
  from: number,
  end: number,
): void {
  const { sidesByEntitlement, places, numbers } = wide;
  for (let at = from; at < end; at++) {
    const place = places[sidesByEntitlement.values[at] ?? 0] ?? 0;
    if (judged[place] === judgedMark) continue;
    judged[place] = judgedMark;
    if (isViolated(wide, place, access)) violated.push(numbers[place] ?? 0);
  }
}

function isViolated({ sides, sideStarts, atLeast }: KOfNPolicies, place: number, access: MarkedAccess): boolean {
  let missing = atLeast[place] ?? 0;
  const end = sideStarts[place + 1] ?? 0;
  for (let row = sideStarts[place] ?? 0; row < end && missing > 0; row++) {
    if (isHeldOrGained({ rows: sides, row }, access)) missing--;
  }
  return missing === 0;
}
