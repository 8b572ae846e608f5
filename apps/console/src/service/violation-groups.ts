import type { SodViolation, ViolationSummary } from '@access-admin/client';
import { COUNTED_POLICIES_MAX } from './summary.ts';
import { type Grouping, LEVELS, type ViolationSearch } from './violation-search.ts';

/** Violations of one policy, person, level or owner. */
export interface ViolationGroup {
  /** The id, or the level; null for those without an owner. */
  readonly key: string | null;
  readonly name: string;
}

const NO_OWNER: ViolationGroup = { key: null, name: '' };

/** The group that a violation is in. */
export function groupOf({ policy, target, level, owner }: SodViolation, by: Grouping): ViolationGroup {
  if (by === 'level') return { key: level, name: level };
  const { id, name } = { policy, person: target, owner }[by] ?? {};
  return id === undefined ? NO_OWNER : { key: id, name: name ?? id };
}

/** The search that finds the violations of a group alone; null for those without an owner, which no filter finds. */
export function searchOfGroup(search: ViolationSearch, by: Grouping, key: string | null): ViolationSearch | null {
  if (key === null) return null;
  if (by === 'person') return { ...search, target: key };
  if (by !== 'level') return { ...search, [by]: key };
  const level = LEVELS.find((each) => each === key);
  return level === undefined ? null : { ...search, level };
}

/** Groups that are known before violations are read. */
export interface KnownGroups {
  readonly groups: readonly ViolationGroup[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

const NONE_KNOWN: KnownGroups = { groups: [], isWhole: false };

/** The levels, or the policies that the counts of the register name, those with most violations first. */
export function knownGroups(search: ViolationSearch, by: Grouping, summary: ViolationSummary | undefined): KnownGroups {
  if (by === 'level') {
    const levels = LEVELS.filter((level) => search.level === undefined || level === search.level);
    return { groups: levels.map((level) => ({ key: level, name: level })), isWhole: true };
  }
  if (!isCounted(search, by) || summary === undefined) return NONE_KNOWN;
  const { byPolicy } = summary;
  const isMitigated = search.status === 'Mitigated';
  const counted = byPolicy.map(({ policy, open, mitigated }) => ({ policy, count: isMitigated ? mitigated : open }));
  return {
    groups: counted
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => other.count - one.count)
      .map(({ policy }) => ({ key: policy.id, name: policy.name })),
    isWhole: byPolicy.length < COUNTED_POLICIES_MAX,
  };
}

/** Whether the counts of the register are about what a search finds: the open or the mitigated violations of all policies. */
export const isCounted = (
  { status, level, policy, person, target, owner, mine }: ViolationSearch,
  by: Grouping,
): boolean =>
  by === 'policy' &&
  (status === 'Open' || status === 'Mitigated') &&
  [level, policy, person, target, owner, mine].every((each) => each === undefined);

/** The groups of some violations, after those that are known already, each once. */
export function addGroups(
  known: readonly ViolationGroup[],
  violations: readonly SodViolation[],
  by: Grouping,
): readonly ViolationGroup[] {
  const groups = new Map(known.map((group) => [group.key, group]));
  for (const violation of violations) {
    const group = groupOf(violation, by);
    if (!groups.has(group.key)) groups.set(group.key, group);
  }
  return [...groups.values()];
}
