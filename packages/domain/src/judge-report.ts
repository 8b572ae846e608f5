import { mergeViolated, tableOf } from './find-violated.ts';
import { idCount } from './id-numbers.ts';
import { createJudgeHeld } from './judge-held.ts';
import { takeMarks } from './marks.ts';
import {
  markedItemsAt,
  type PolicyPlace,
  type ReportPolicy,
  reportedPolicyAt,
  reportedSidesAt,
} from './report-policy.ts';
import type { SodCatalogue } from './sod-catalogue.ts';
import type { SodIndex } from './sod-index.ts';
import type { SodPolicyTable } from './sod-policy-table.ts';
import type { SodReportChange } from './sod-report.ts';
import { textAt } from './text-rows.ts';

/** Takes a violation: the number of its policy in the report, and its items as report lines have them. */
export type TakeViolation = (policy: number, change: SodReportChange, items: readonly number[]) => void;

/** What a report asks of each identity. Serves one thread. */
export interface ReportJudge {
  /** Policies have numbers below this, in code-unit order of their ids. */
  readonly policyEnd: number;
  /** Whether violations that are there before are left out of the report. */
  readonly isNewOnly: boolean;
  /** Hands over what becomes of the violations of an identity with these entitlements; all stay as they are where the report is not about it. */
  judge(held: Uint32Array, take: TakeViolation, isConcerned?: boolean): void;
  policyAt(policy: number): ReportPolicy;
}

/** The violations that there are. */
export function createScanJudge(index: SodIndex): ReportJudge {
  const { catalogue } = index;
  const finder = createFinder(index);
  return {
    ...reportOf(finder, catalogue),
    isNewOnly: false,
    judge: (held, take) => {
      const itemsAt = markLazily(catalogue, held);
      finder.find(held, (policy, place) => take(policy, 'same', itemsAt(place)));
    },
  };
}

/** For an identity that gains entitlements: the policies that it would violate then and does not violate now. */
export function createGainJudge(index: SodIndex, gained: Uint32Array): ReportJudge {
  const { catalogue } = index;
  const finder = createFinder(index);
  // The call in which a policy was found violated by what is held alone.
  const wasViolated = new Float64Array(finder.policyEnd);
  let call = 0;
  return {
    ...reportOf(finder, catalogue),
    isNewOnly: true,
    judge: (held, take, isConcerned = true) => {
      const more = isConcerned ? withoutHeld(catalogue, gained, held) : NOTHING;
      const heldItemsAt = markLazily(catalogue, held);
      call += 1;
      finder.find(held, (policy, place) => {
        wasViolated[policy] = call;
        take(policy, 'same', heldItemsAt(place));
      });
      if (more.length === 0) return;
      const all = new Uint32Array(held.length + more.length);
      all.set(held);
      all.set(more, held.length);
      const itemsAt = markLazily(catalogue, held, more);
      finder.find(all, (policy, place) => {
        if (wasViolated[policy] !== call) take(policy, 'new', itemsAt(place));
      });
    },
  };
}

/** Policies as they are before and after a change, those that count compiled. */
export interface PolicyTables {
  readonly catalogue: SodCatalogue;
  readonly before: SodPolicyTable;
  readonly after: SodPolicyTable;
}

/** What becomes of violations when the policies before give way to those after. A policy bears the name that it has after. */
export function createDryRunJudge({ catalogue, before, after }: PolicyTables): ReportJudge {
  const [judgeBefore, judgeAfter] = [createJudgeHeld(before), createJudgeHeld(after)];
  const pairs = pairPolicies(before, after);
  // The call in which a policy was found violated as it is before.
  const wasViolated = new Float64Array(pairs.count);
  let call = 0;
  const judge: ReportJudge['judge'] = (held, take) => {
    const [earlier, later] = [judgeBefore(held), judgeAfter(held)];
    if (earlier.length + later.length === 0) return;
    call += 1;
    const itemsAt = markLazily(catalogue, held);
    for (const number of earlier) wasViolated[pairs.ofBefore[number] ?? 0] = call;
    for (const number of later) {
      const policy = pairs.ofAfter[number] ?? 0;
      take(policy, wasViolated[policy] === call ? 'same' : 'new', itemsAt({ table: after, number }));
      wasViolated[policy] = 0;
    }
    for (const number of earlier) {
      const policy = pairs.ofBefore[number] ?? 0;
      if (wasViolated[policy] === call) take(policy, 'gone', itemsAt({ table: before, number }));
    }
  };
  return {
    policyEnd: pairs.count,
    isNewOnly: false,
    judge,
    policyAt: (policy) => pairedPolicy({ catalogue, before, after }, pairs, policy),
  };
}

interface Finder {
  readonly policyEnd: number;
  find(held: Uint32Array, visit: (policy: number, place: PolicyPlace) => void): void;
  placeOf(policy: number): PolicyPlace;
}

/** Finds the violated policies of an index, by their numbers in order of ids. */
function createFinder(index: SodIndex): Finder {
  const { compiled, overlay } = index;
  const judgeCompiled = createJudgeHeld(compiled);
  if (overlay === null) {
    const placeOf = (number: number) => ({ table: compiled, number });
    const find: Finder['find'] = (held, visit) => {
      for (const number of judgeCompiled(held)) visit(number, placeOf(number));
    };
    return { policyEnd: compiled.levels.length, find, placeOf };
  }
  const { table } = overlay;
  const judgeChanged = createJudgeHeld(table);
  const order = mergeViolated(index, numbersBelow(compiled.levels.length), numbersBelow(table.levels.length));
  const policies = new Uint32Array(compiled.levels.length + table.levels.length);
  for (const [policy, violated] of order.entries()) policies[violated] = policy;
  return {
    policyEnd: order.length,
    find: (held, visit) => {
      for (const number of judgeCompiled(held))
        if (!overlay.retired.has(number)) visit(policies[number] ?? 0, { table: compiled, number });
      for (const number of judgeChanged(held)) visit(policies[compiled.levels.length + number] ?? 0, { table, number });
    },
    placeOf: (policy) => tableOf(index, order[policy] ?? 0),
  };
}

const numbersBelow = (end: number) => Array.from({ length: end }, (_, number) => number);

/** Each policy of a report that changes none is the same before and after. */
const reportOf = (
  { policyEnd, placeOf }: Finder,
  catalogue: SodCatalogue,
): Omit<ReportJudge, 'judge' | 'isNewOnly'> => ({
  policyEnd,
  policyAt: (policy) => {
    const place = placeOf(policy);
    const sides = reportedSidesAt(catalogue, place);
    return { ...reportedPolicyAt(place), before: sides, after: sides };
  },
});

/** Marks what is held, and what is gained, as soon as somebody asks for items. */
function markLazily(
  { marks }: SodCatalogue,
  held: Uint32Array,
  gained: Uint32Array = NOTHING,
): (place: PolicyPlace) => readonly number[] {
  let mark = 0;
  return (place) => {
    if (mark === 0) {
      mark = takeMarks(marks);
      for (let at = 0; at < held.length; at++) marks.bytes[held[at] ?? 0] = mark;
      for (let at = 0; at < gained.length; at++) marks.bytes[gained[at] ?? 0] = mark + 1;
    }
    return markedItemsAt(place, marks.bytes, mark);
  };
}

const NOTHING = new Uint32Array();

function withoutHeld({ marks }: SodCatalogue, gained: Uint32Array, held: Uint32Array): Uint32Array {
  const mark = takeMarks(marks);
  for (let at = 0; at < held.length; at++) marks.bytes[held[at] ?? 0] = mark;
  return gained.filter((entitlement) => marks.bytes[entitlement] !== mark);
}

/** The policies of two tables, numbered together in order of ids. */
interface Pairs {
  readonly count: number;
  /** The policy of each number in the table. */
  readonly ofBefore: Uint32Array;
  readonly ofAfter: Uint32Array;
  /** The number in the table of each policy. */
  readonly numbers: readonly { readonly before: number | null; readonly after: number | null }[];
}

function pairPolicies(before: SodPolicyTable, after: SodPolicyTable): Pairs {
  const [ofBefore, ofAfter] = [new Uint32Array(before.levels.length), new Uint32Array(after.levels.length)];
  const numbers: { readonly before: number | null; readonly after: number | null }[] = [];
  for (let [left, right] = [0, 0]; left < idCount(before.ids) || right < idCount(after.ids); ) {
    const leftId = left < idCount(before.ids) ? textAt(before.ids, left) : null;
    const rightId = right < idCount(after.ids) ? textAt(after.ids, right) : null;
    const isLeft = leftId !== null && (rightId === null || leftId <= rightId);
    const isRight = rightId !== null && (leftId === null || rightId <= leftId);
    if (isLeft) ofBefore[left] = numbers.length;
    if (isRight) ofAfter[right] = numbers.length;
    numbers.push({ before: isLeft ? left++ : null, after: isRight ? right++ : null });
  }
  return { count: numbers.length, ofBefore, ofAfter, numbers };
}

function pairedPolicy({ catalogue, before, after }: PolicyTables, { numbers }: Pairs, policy: number): ReportPolicy {
  const pair = numbers[policy];
  const placeIn = (table: SodPolicyTable, number: number | null | undefined) =>
    typeof number === 'number' ? { table, number } : null;
  const [earlier, later] = [placeIn(before, pair?.before), placeIn(after, pair?.after)];
  const named = later ?? earlier;
  if (named === null) throw new Error(`The report has no policy ${policy}.`);
  return {
    ...reportedPolicyAt(named),
    before: earlier === null ? null : reportedSidesAt(catalogue, earlier),
    after: later === null ? null : reportedSidesAt(catalogue, later),
  };
}
