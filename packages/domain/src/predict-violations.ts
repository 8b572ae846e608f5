import { type SodIndex, takeMarks, type ViolatedPolicy } from './sod-index.ts';

/** An item of a violated policy that the identity would have. */
export interface ViolationItem {
  readonly type: 'ENTITLEMENT';
  readonly id: string;
  /** The catalogue's name today. */
  readonly name: string;
  /** Whether the identity had it before. */
  readonly existing: boolean;
}

/** The items of one side that the identity would have, sorted by id. */
export interface ViolationSide {
  readonly criteriaList: readonly ViolationItem[];
}

/** One violation that the requested access would cause. */
export interface ViolationContext {
  readonly policy: ViolatedPolicy;
  /** True when held access alone already violated the policy: the grant deepens a violation instead of creating one. */
  readonly preexisting: boolean;
  readonly conflictingAccessCriteria: { readonly leftCriteria: ViolationSide; readonly rightCriteria: ViolationSide };
}

/** The violations that the requested access would cause, sorted by policy id in code-unit order. */
export interface ViolationPrediction {
  readonly violationContexts: readonly ViolationContext[];
}

/**
 * The violations that granting the requested entitlements to an identity with the held ones would cause: every policy
 * that held and requested together violate and to which a newly gained entitlement contributes, sorted by policy id.
 * Both arrays are numbers of the index (see `expandAccess`) and are left as they are.
 */
export function predictViolations(
  index: SodIndex,
  held: Uint32Array,
  requested: Uint32Array,
): readonly ViolationContext[] {
  if (!isInAnyPolicy(index, requested)) return [];
  const heldMark = takeMarks(index.scratch);
  markAccess(index, { held, requested, heldMark });
  const violated = findViolated(index, requested, heldMark);
  return violated === null ? [] : contextsOf(index, violated, heldMark);
}

function isInAnyPolicy({ rivals: { starts } }: SodIndex, entitlements: Uint32Array): boolean {
  for (let i = 0; i < entitlements.length; i++) {
    const entitlement = entitlements[i] ?? 0;
    if (starts[entitlement] !== starts[entitlement + 1]) return true;
  }
  return false;
}

// Held entitlements bear `heldMark`, gained ones its successor, all others less.
function markAccess(
  { scratch: { marks } }: SodIndex,
  access: { readonly held: Uint32Array; readonly requested: Uint32Array; readonly heldMark: number },
): void {
  const { held, requested, heldMark } = access;
  for (let i = 0; i < held.length; i++) marks[held[i] ?? 0] = heldMark;
  for (let i = 0; i < requested.length; i++) {
    const entitlement = requested[i] ?? 0;
    if (marks[entitlement] !== heldMark) marks[entitlement] = heldMark + 1;
  }
}

// Below this size judging a side again is cheaper than remembering that it was judged.
const WIDE_REQUEST = 17;

// Walks the gained entitlements only: a policy without any of them is not caused, whatever is held.
// Returns the policies violated, unordered and perhaps repeated.
function findViolated({ rivals, sides, scratch }: SodIndex, requested: Uint32Array, heldMark: number): number[] | null {
  const { marks, judged } = scratch;
  const isWide = requested.length >= WIDE_REQUEST;
  let violated: number[] | null = null;
  for (let i = 0; i < requested.length; i++) {
    const entitlement = requested[i] ?? 0;
    if (marks[entitlement] === heldMark) continue;
    const end = rivals.starts[entitlement + 1] ?? 0;
    for (let at = rivals.starts[entitlement] ?? 0; at < end; at++) {
      const rival = rivals.values[at] ?? 0;
      if (isWide) {
        if (judged[rival] === heldMark) continue;
        judged[rival] = heldMark;
      }
      const rivalEnd = sides.starts[rival + 1] ?? 0;
      for (let item = sides.starts[rival] ?? 0; item < rivalEnd; item++) {
        if ((marks[sides.values[item] ?? 0] ?? 0) < heldMark) continue;
        violated ??= [];
        violated.push(rival >>> 1);
        break;
      }
    }
  }
  return violated;
}

function contextsOf(index: SodIndex, violated: number[], heldMark: number): ViolationContext[] {
  const contexts: ViolationContext[] = [];
  let previous = -1;
  for (const number of violated.sort(ascending)) {
    const policy = index.policies[number];
    if (policy === undefined || number === previous) continue;
    previous = number;
    const left = itemsOf(index, number * 2, heldMark);
    const right = itemsOf(index, number * 2 + 1, heldMark);
    contexts.push({
      policy,
      preexisting: left.some(isExisting) && right.some(isExisting),
      conflictingAccessCriteria: { leftCriteria: { criteriaList: left }, rightCriteria: { criteriaList: right } },
    });
  }
  return contexts;
}

function itemsOf({ entitlements, sides, scratch }: SodIndex, side: number, heldMark: number): ViolationItem[] {
  const items: ViolationItem[] = [];
  const end = sides.starts[side + 1] ?? 0;
  for (let at = sides.starts[side] ?? 0; at < end; at++) {
    const number = sides.values[at] ?? 0;
    const mark = scratch.marks[number] ?? 0;
    const entitlement = entitlements[number];
    if (mark < heldMark || entitlement === undefined) continue;
    items.push({ type: 'ENTITLEMENT', id: entitlement.id, name: entitlement.name, existing: mark === heldMark });
  }
  return items;
}

const ascending = (a: number, b: number) => a - b;
const isExisting = ({ existing }: ViolationItem) => existing;
