import type { CsrRows } from '../collections/csr-rows.ts';
import type { MarkedAccess } from '../evaluation/evaluator.ts';
import { accessAt, type FoundViolations, isPreexisting } from '../evaluation/found-violations.ts';
import { isViolatedOn } from '../evaluation/is-violated.ts';
import type { SodPolicy } from '../policy/model.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import {
  isShownAsKOfN,
  type PolicySides,
  policyAt,
  policySidesAt,
  type SodPolicyTable,
  sideNameAt,
  type ViolatedPolicy,
} from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import type { AccessReason } from './explain-access.ts';
import type { Remediation } from './remediation.ts';

/** An item of a violated policy that the identity would have, with its reason if requested. */
export interface ViolationItem extends Partial<AccessReason> {
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

/** The conflicting items in a violation of a two-sided policy. */
export interface TwoSidedConflict {
  readonly leftCriteria: ViolationSide;
  readonly rightCriteria: ViolationSide;
}

/** A side of a k-of-n policy in a violation. */
export interface NamedViolationSide extends ViolationSide {
  readonly name: string | null;
}

/** The conflicting sides in a violation of a k-of-n policy: those that the identity would be on, in the policy's order. */
export interface KOfNConflict {
  readonly criteria: readonly NamedViolationSide[];
  /** The number of sides that makes a violation. */
  readonly atLeast: number;
}

/** A policy's advice on its violations. */
export type PolicyAdvice = Pick<SodPolicy, 'correctionAdvice' | 'compensatingControls'>;

/** The exception that covers a violation. */
export interface CoveringException {
  readonly id: string;
  readonly end: string;
}

/** One violation that the requested access would cause, with the policy's advice if reasons were requested. */
export interface ViolationContext extends Partial<PolicyAdvice> {
  readonly policy: ViolatedPolicy;
  /** True when held access alone already violated the policy: the grant deepens a violation instead of creating one. */
  readonly preexisting: boolean;
  readonly conflictingAccessCriteria: TwoSidedConflict | KOfNConflict;
  /** Where the identity has an approved exception from the policy whose window is now. */
  readonly exception?: CoveringException;
}

/** The violations that the requested access would cause, sorted by policy id in code-unit order. */
export interface ViolationPrediction {
  readonly violationContexts: readonly ViolationContext[];
  /** Only if it was requested. */
  readonly remediation?: Remediation;
}

/** A violation that was found, with all its items. */
export function violationAt(index: SodIndex, found: FoundViolations, place: number): ViolationContext {
  const at = policyPlaceAt(index, found.policies[place] ?? 0);
  const sides = policySidesAt(at);
  const shown = { catalogue: index.catalogue, rows: sides.rows, access: accessAt(found, place), heldSides: 0 };
  const conflictingAccessCriteria = isShownAsKOfN(at)
    ? kOfNConflict(at.table, sides, shown)
    : {
        leftCriteria: { criteriaList: shownItems(shown, sides.first, 0) },
        rightCriteria: { criteriaList: shownItems(shown, sides.first, 1) },
      };
  const preexisting = isPreexisting(found, place) ?? isViolatedOn(sides, shown.heldSides);
  return { policy: policyAt(at).policy, preexisting, conflictingAccessCriteria };
}

function kOfNConflict(table: SodPolicyTable, { first, sideCount, atLeast }: PolicySides, shown: Shown): KOfNConflict {
  const criteria: NamedViolationSide[] = [];
  for (let side = 0; side < sideCount; side++) {
    const criteriaList = shownItems(shown, first, side);
    if (criteriaList.length > 0) criteria.push({ name: sideNameAt(table, first + side), criteriaList });
  }
  return { criteria, atLeast };
}

interface Shown {
  readonly catalogue: SodCatalogue;
  readonly rows: CsrRows;
  readonly access: MarkedAccess;
  /** A bit for each side with an item that is held. */
  heldSides: number;
}

function shownItems(shown: Shown, first: number, side: number): ViolationItem[] {
  const { catalogue } = shown;
  const { starts, values } = shown.rows;
  const { marks, heldMark } = shown.access;
  const items: ViolationItem[] = [];
  const end = starts[first + side + 1] ?? 0;
  for (let at = starts[first + side] ?? 0; at < end; at++) {
    const number = values[at] ?? 0;
    const mark = marks[number] ?? 0;
    if (mark < heldMark) continue;
    if (mark === heldMark) shown.heldSides |= 1 << side;
    const { id, name } = entitlementAt(catalogue, number);
    items.push({ type: 'ENTITLEMENT', id, name, existing: mark === heldMark });
  }
  return items;
}

const NO_ADVICE: PolicyAdvice = { correctionAdvice: null, compensatingControls: null };

/** A violation with these reasons and the advice of its policy. */
export function explainViolation(
  { policy, preexisting, conflictingAccessCriteria: conflict }: ViolationContext,
  advice: ReadonlyMap<string, PolicyAdvice>,
  reasonFor: (id: string) => AccessReason,
): ViolationContext {
  const explainItem = (item: ViolationItem): ViolationItem => ({ ...item, ...reasonFor(item.id) });
  const explainSide = <S extends ViolationSide>(side: S): S => ({
    ...side,
    criteriaList: side.criteriaList.map(explainItem),
  });
  const { correctionAdvice, compensatingControls } = advice.get(policy.id) ?? NO_ADVICE;
  const conflictingAccessCriteria =
    'criteria' in conflict
      ? { criteria: conflict.criteria.map(explainSide), atLeast: conflict.atLeast }
      : { leftCriteria: explainSide(conflict.leftCriteria), rightCriteria: explainSide(conflict.rightCriteria) };
  return { policy, preexisting, conflictingAccessCriteria, correctionAdvice, compensatingControls };
}

/** The items of a violation by their ids. */
export function itemIdsOf({ conflictingAccessCriteria: conflict }: ViolationContext): readonly string[] {
  const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
  return sides.flatMap(({ criteriaList }) => criteriaList.map(({ id }) => id));
}
