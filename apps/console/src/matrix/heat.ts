import type { SodPolicy, ViolationSummary } from '@access-admin/client';
import type { MatrixRows } from '../service/matrix-search.ts';
import { openWithout } from '../service/summary.ts';
import type { CellPolicy } from './build.ts';

/** The policies that a row and a column share, with their present open violations. */
export interface HeatCell {
  readonly row: string;
  readonly column: string;
  readonly policies: readonly SodPolicy[];
  /** The open violations of its policies that the counts of the register name. */
  readonly open: number;
  /** The ids of the others, which are counted where the cell is shown. */
  readonly uncounted: readonly string[];
}

/** Systems, or tags, against systems. */
export interface Heat {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Those with a policy. Of two systems there is one, with the later of their names as its row. */
  readonly cells: readonly HeatCell[];
}

/** The system of an entitlement, by its id. */
export type SystemOf = (entitlementId: string) => string;

type Summary = Pick<ViolationSummary, 'byPolicy'>;

/** The systems of the items of each side of a policy. */
function systemsOf({ conflictingAccessCriteria: criteria }: SodPolicy, systemOf: SystemOf): readonly string[][] {
  const sides = 'criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];
  return sides.map(({ criteriaList }) => [...new Set(criteriaList.map(({ id }) => systemOf(id)))]);
}

/** Every two systems that a policy keeps apart; a system alone where a policy is about it alone. */
function pairsOf(policy: SodPolicy, systemOf: SystemOf): readonly (readonly [row: string, column: string])[] {
  const sides = systemsOf(policy, systemOf);
  const [only] = sides;
  if (sides.length === 1 && only !== undefined) return only.map((system) => [system, system]);
  return sides.flatMap((one, at) =>
    sides
      .slice(at + 1)
      .flatMap((other) => one.flatMap((a) => other.map((b) => (a < b ? ([b, a] as const) : ([a, b] as const))))),
  );
}

/** Builds the heat map of the enforced policies. */
export function buildHeat(
  policies: readonly SodPolicy[],
  summary: Summary,
  { rows, systemOf }: { readonly rows: Exclude<MatrixRows, 'side'>; readonly systemOf: SystemOf },
): Heat {
  const open = openCounts(summary);
  const found = new Map<string, { row: string; column: string; policies: Map<string, SodPolicy> }>();
  const enforced = policies.filter(({ state }) => state === 'ENFORCED');
  for (const policy of enforced) {
    const systems = new Set(systemsOf(policy, systemOf).flat());
    const pairs =
      rows === 'system'
        ? pairsOf(policy, systemOf)
        : policy.tags.flatMap((tag) => [...systems].map((system) => [tag, system] as const));
    for (const [row, column] of pairs) {
      const key = JSON.stringify([row, column]);
      const cell = found.get(key) ?? { row, column, policies: new Map() };
      cell.policies.set(policy.id, policy);
      found.set(key, cell);
    }
  }
  const cells = [...found.values()].map(({ row, column, policies: own }) => {
    const list = [...own.values()];
    return {
      row,
      column,
      policies: list,
      open: list.reduce((sum, { id }) => sum + (open(id) ?? 0), 0),
      uncounted: list.filter(({ id }) => open(id) === null).map(({ id }) => id),
    };
  });
  const named = (names: readonly string[]) => [...new Set(names)].toSorted((one, other) => (one < other ? -1 : 1));
  const columns = named(cells.flatMap(({ row, column }) => (rows === 'system' ? [row, column] : [column])));
  return { rows: rows === 'system' ? columns : named(cells.map(({ row }) => row)), columns, cells };
}

/** Finds the open violations of a policy; null where the counts of the register do not name it. */
function openCounts(summary: Summary): (policyId: string) => CellPolicy['open'] {
  const counts = new Map(summary.byPolicy.map(({ policy, open }) => [policy.id, open]));
  const others = openWithout(summary) ?? null;
  return (policyId) => counts.get(policyId) ?? others;
}

/** The ids of all entitlements that enforced policies name. */
export function namedEntitlements(policies: readonly SodPolicy[]): readonly string[] {
  const ids = policies
    .filter(({ state }) => state === 'ENFORCED')
    .flatMap(({ conflictingAccessCriteria: criteria }) =>
      ('criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria]).flatMap(
        ({ criteriaList }) => criteriaList.map(({ id }) => id),
      ),
    );
  return [...new Set(ids)].toSorted();
}
