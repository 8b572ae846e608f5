import { equalJson } from '../../basics/json-patch/value.ts';
import { timedAccessRef } from './interval.ts';
import type { TimedAccessRef } from './records.ts';

/** The key of an assignment among those of an identity: its ref and window, whose parts contain no space. */
export const assignmentKey = ({ type, id, start = '', end = '' }: TimedAccessRef): string =>
  `${type}:${id} ${start} ${end}`;

/** Each assignment once, in the order in which they come first, and with nothing but ref and window. */
export function withoutDuplicates(refs: readonly TimedAccessRef[]): readonly TimedAccessRef[] {
  const ids = new Set(refs.map(({ id }) => id));
  // Most identities have one assignment of each id, and keys are long texts.
  if (ids.size === refs.length) return refs.map((ref) => timedAccessRef(ref, ref));
  const byKey = new Map<string, TimedAccessRef>();
  for (const ref of refs) {
    const key = assignmentKey(ref);
    if (!byKey.has(key)) byKey.set(key, timedAccessRef(ref, ref));
  }
  return [...byKey.values()];
}

/** The assignments that one list has and the other lacks. */
export interface ChangedAssignments {
  readonly added: readonly TimedAccessRef[];
  readonly removed: readonly TimedAccessRef[];
}

/** What differs between two lists of assignments: nothing where only their order does; null where they are equal. */
export const changedAssignments = (
  before: readonly TimedAccessRef[],
  after: readonly TimedAccessRef[],
): ChangedAssignments | null =>
  equalJson(before, after) ? null : { added: without(after, before), removed: without(before, after) };

function without(refs: readonly TimedAccessRef[], others: readonly TimedAccessRef[]): readonly TimedAccessRef[] {
  if (others.length === 0) return refs;
  const byId = new Map(others.map((other) => [other.id, other]));
  // Most identities have one assignment of each id, and keys are long texts.
  if (byId.size === others.length) return refs.filter((ref) => !isSame(ref, byId.get(ref.id)));
  const keys = new Set(others.map(assignmentKey));
  return refs.filter((ref) => !keys.has(assignmentKey(ref)));
}

const isSame = (ref: TimedAccessRef, other: TimedAccessRef | undefined): boolean =>
  ref.type === other?.type && ref.id === other.id && ref.start === other.start && ref.end === other.end;
