import type { SodPolicy, ViolationSummary } from '@access-admin/client';
import { openWithout } from '../service/summary.ts';

/** A policy in a cell, with its present open violations; null where the counts of the register do not name it. */
export interface CellPolicy extends Pick<SodPolicy, 'id' | 'name' | 'level'> {
  readonly open: number | null;
}

/** Two sides that a policy keeps apart; the same side twice where any one item of it violates. */
export interface Cell {
  /** The later side, as its place in `sides`. */
  readonly row: number;
  readonly column: number;
  readonly policies: readonly CellPolicy[];
  /** The open violations of its policies that the counts of the register name. */
  readonly open: number;
  /** The ids of the others, which are counted where the cell is shown. */
  readonly uncounted: readonly string[];
}

/** The sides of all enforced policies against each other. */
export interface Matrix {
  /** The names of the sides. Policies that name a side alike share it. */
  readonly sides: readonly string[];
  /** Those with a policy. */
  readonly cells: readonly Cell[];
}

/** Builds the matrix; sides stand in the order in which the policies name them, so that related ones are near each other. */
export function buildMatrix(policies: readonly SodPolicy[], summary: Pick<ViolationSummary, 'byPolicy'>): Matrix {
  const openOf = new Map(summary.byPolicy.map(({ policy, open }) => [policy.id, open]));
  const others = openWithout(summary) ?? null;
  const places = new Map<string, number>();
  const placeOf = (name: string) => places.get(name) ?? places.set(name, places.size).size - 1;
  const cells = new Map<string, { row: number; column: number; policies: CellPolicy[] }>();
  for (const policy of policies.filter(({ state }) => state === 'ENFORCED')) {
    const { id, name, level } = policy;
    const own = sideNamesOf(policy).map(placeOf);
    for (const [row, column] of pairsOf(own)) {
      const key = `${row} ${column}`;
      const cell = cells.get(key) ?? { row, column, policies: [] };
      cell.policies.push({ id, name, level, open: openOf.get(id) ?? others });
      cells.set(key, cell);
    }
  }
  return {
    sides: [...places.keys()],
    cells: [...cells.values()].map((cell) => ({
      ...cell,
      open: cell.policies.reduce((sum, { open }) => sum + (open ?? 0), 0),
      uncounted: cell.policies.flatMap(({ id, open }) => (open === null ? [id] : [])),
    })),
  };
}

/** A side without a name gets that of its policy, with its number. */
function sideNamesOf({ name, conflictingAccessCriteria: criteria }: SodPolicy): readonly string[] {
  const sides = 'criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];
  return sides.map((side, at) => side.name ?? (sides.length === 1 ? name : `${name} (${at + 1})`));
}

/** Every two of some places, the greater first; a place alone is a pair with itself. */
function pairsOf(places: readonly number[]): readonly (readonly [row: number, column: number])[] {
  const [only] = places;
  if (places.length === 1 && only !== undefined) return [[only, only]];
  return places.flatMap((one, at) =>
    places.slice(at + 1).map((other) => [Math.max(one, other), Math.min(one, other)] as const),
  );
}
