import type { TimedAccessRef } from '../../access/model/records.ts';
import { compareTexts } from '../../basics/order/compare-texts.ts';
import { type EvaluatedPolicy, isEnforced } from '../../policies/model.ts';
import { type ItemsOfViolation, sweepAssignments } from '../evaluation/sweep-sides.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import {
  compileSodPolicies,
  itemsBySide,
  type PolicyPlace,
  policySidesAt,
  type SodPolicyTable,
  termsAt,
} from '../rulebook/policy-table.ts';
import { mergePolicies, policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import type { ConflictFinder, HeldConflict } from './find-conflicts.ts';
import { type ReportPolicy, reportedPolicyAt, reportedSidesAt, type SodReportChange } from './report-policy.ts';

/** Receives a violation of a policy: its holder, and its items as report lines have them. */
export type EmitViolation = (change: SodReportChange, holder: number, items: readonly number[]) => void;

/** Evaluates the policies of a report for a population, policy by policy. */
export interface ReportEvaluator {
  /** The numbers of its policies, ascending, which is in code-unit order of their ids. */
  readonly policies: Uint32Array;
  /** The entitlements that the holders in question gain; null for a report about no gain. */
  readonly gained: ReadonlySet<number> | null;
  /** Whether the report leaves out violations that exist before the change. */
  readonly isNewOnly: boolean;
  /** Emits how the violations of a policy change, in order of the holders; only for the current batch of the finder. */
  evaluate(policy: number, finder: ConflictFinder, emit: EmitViolation): void;
  /** Throws for a number that is not of one of its policies. */
  policyAt(policy: number): ReportPolicy;
  /** The same. */
  policyIdAt(policy: number): string;
  /** The digests of the terms of a policy before and after the change; null where it does not exist. */
  termsOf(policy: number): { readonly before: string | null; readonly after: string | null };
  /** Finds when assignments violate a policy as it is before the change, from `fromMs` (since 1970) on. */
  sweepBefore(policy: number, assignments: readonly TimedAccessRef[], fromMs: number): ItemsOfViolation<string>;
}

/** The existing violations: nothing changes. */
export const createScanEvaluator = (index: SodIndex): ReportEvaluator =>
  createEvaluator({ catalogue: index.catalogue, policies: unchangedPolicies(index), gained: null });

/** What holders would newly violate if they gained entitlements, by their numbers. */
export const createGainEvaluator = (index: SodIndex, gained: Uint32Array): ReportEvaluator =>
  createEvaluator({ catalogue: index.catalogue, policies: unchangedPolicies(index), gained: new Set(gained) });

/** How violations change when the policies before are replaced by those after. A changed policy has its name after. */
export const createDryRunEvaluator = (tables: PolicyTables): ReportEvaluator =>
  createEvaluator({ catalogue: tables.catalogue, policies: pairPolicies(tables), gained: null });

/** The enforced policies before and after a change, compiled. */
export interface PolicyTables {
  readonly catalogue: SodCatalogue;
  readonly before: SodPolicyTable;
  readonly after: SodPolicyTable;
}

/** Compiles the policies that a change touches, enforced or not, as they are before and after it. */
export function compilePolicyTables(
  catalogue: SodCatalogue,
  { before, after }: { readonly before: readonly EvaluatedPolicy[]; readonly after: readonly EvaluatedPolicy[] },
): PolicyTables {
  const compile = (policies: readonly EvaluatedPolicy[]) => compileSodPolicies(policies.filter(isEnforced), catalogue);
  return { catalogue, before: compile(before), after: compile(after) };
}

/** A policy before and after a change: null where it does not exist, the same place where it does not change. */
interface PolicyPair {
  readonly before: PolicyPlace | null;
  readonly after: PolicyPlace | null;
}

interface Evaluation extends Pick<ReportEvaluator, 'gained'> {
  readonly catalogue: SodCatalogue;
  /** In order of the ids. */
  readonly policies: readonly PolicyPair[];
}

/** The evaluation of every kind of report: violations before, without the gain, are compared with those after, with it. */
function createEvaluator({ catalogue, policies, gained }: Evaluation): ReportEvaluator {
  const numbers = Uint32Array.from(policies.keys());
  const pairAt = (policy: number): PolicyPair => {
    const pair = policies[policy];
    if (pair === undefined) throw new Error(`The report has no policy ${policy}.`);
    return pair;
  };
  const sidesAt = (place: PolicyPlace | null) => (place === null ? null : reportedSidesAt(catalogue, place));
  return {
    // A gain can only violate policies with a gained item.
    policies: gained === null ? numbers : numbers.filter((policy) => hasItem(pairAt(policy).after, gained)),
    gained,
    isNewOnly: gained !== null,
    evaluate: (policy, finder, emit) => {
      const { before, after } = pairAt(policy);
      const earlier = before === null ? NO_CONFLICTS : finder.find(policySidesAt(before));
      const isUnchanged = before === after && gained === null;
      if (isUnchanged) for (const { holder, items } of earlier) emit('same', holder, items);
      else
        emitChanges(
          finder,
          [earlier, after === null ? NO_CONFLICTS : finder.find(policySidesAt(after), gained !== null)],
          emit,
        );
    },
    policyAt: (policy) => {
      const { before, after } = pairAt(policy);
      const sides = sidesAt(before);
      return {
        ...reportedPolicyAt(namedPlace(pairAt(policy))),
        before: sides,
        after: before === after ? sides : sidesAt(after),
      };
    },
    policyIdAt: (policy) => reportedPolicyAt(namedPlace(pairAt(policy))).policyId,
    termsOf: (policy) => {
      const { before, after } = pairAt(policy);
      return { before: before && termsAt(before), after: after && termsAt(after) };
    },
    sweepBefore: (policy, assignments, fromMs) => {
      const { before } = pairAt(policy);
      return before === null
        ? { intervals: [], items: [] }
        : sweepAssignments(catalogue, before, { assignments, fromMs });
    },
  };
}

/** The place whose id, name and level a report shows. */
function namedPlace({ before, after }: PolicyPair): PolicyPlace {
  const named = after ?? before;
  if (named === null) throw new Error('A policy of a report exists before or after the change.');
  return named;
}

const NO_CONFLICTS: readonly HeldConflict[] = [];

/** Merges violations before and after a change, both in order of the holders. */
function emitChanges(
  { end: last }: ConflictFinder,
  [before, after]: readonly [readonly HeldConflict[], readonly HeldConflict[]],
  emit: EmitViolation,
): void {
  let next = 0;
  const emitGone = (end: number) => {
    for (let conflict = before[next]; conflict !== undefined && conflict.holder < end; conflict = before[++next])
      emit('gone', conflict.holder, conflict.items);
  };
  for (const { holder, items } of after) {
    emitGone(holder);
    const isBefore = before[next]?.holder === holder;
    if (isBefore) next += 1;
    emit(isBefore ? 'same' : 'new', holder, items);
  }
  emitGone(last);
}

const hasItem = (place: PolicyPlace | null, entitlements: ReadonlySet<number>): boolean =>
  place !== null && itemsBySide(policySidesAt(place)).some((items) => items.some((item) => entitlements.has(item)));

const unchangedPolicies = (index: SodIndex): readonly PolicyPair[] =>
  enforcedPlaces(index).map((place) => ({ before: place, after: place }));

/** The enforced policies, by their numbers in a scan. */
export function enforcedPlaces(index: SodIndex): readonly PolicyPlace[] {
  const { compiled, overlay } = index;
  const unchanged = [...compiled.policies.keys()].filter((policy) => overlay?.retired.has(policy) !== true);
  const numbers = mergePolicies(index, unchanged, [...(overlay?.table.policies.keys() ?? [])]);
  return numbers.map((policy) => policyPlaceAt(index, policy));
}

/** Pairs the policies of two tables, in order of their ids. */
function pairPolicies({ before, after }: PolicyTables): readonly PolicyPair[] {
  const pairs = new Map<string, PolicyPair>();
  for (const [number, { id }] of before.policies.entries())
    pairs.set(id, { before: { table: before, number }, after: null });
  for (const [number, { id }] of after.policies.entries())
    pairs.set(id, { before: pairs.get(id)?.before ?? null, after: { table: after, number } });
  return [...pairs].sort(([left], [right]) => compareTexts(left, right)).map(([, pair]) => pair);
}
