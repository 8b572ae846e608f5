import { countOppositeSides, findViolated, tableOf } from '../evaluation/find-violated.ts';
import { type MarkedAccess, markAccess, type SideRow } from '../evaluation/marked-access.ts';
import type { SodPolicy } from '../policy/model.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { sideNameAt } from '../rulebook/k-of-n-policies.ts';
import { type KOfNPolicy, kOfNAt, policyAt, type ViolatedPolicy } from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { CoveringException } from './covered-policies.ts';
import type { AccessReason } from './explain-access.ts';
import type { Remediation } from './remediation.ts';

/** An item of a violated policy that the identity would have; with the reason for it where that was asked for. */
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

/** What conflicts in a violation of a two-sided policy. */
export interface TwoSidedConflict {
  readonly leftCriteria: ViolationSide;
  readonly rightCriteria: ViolationSide;
}

/** A side of a k-of-n policy in a violation. */
export interface NamedViolationSide extends ViolationSide {
  readonly name: string | null;
}

/** What conflicts in a violation of a k-of-n policy: the sides that the identity would be on, in the policy's order. */
export interface KOfNConflict {
  readonly criteria: readonly NamedViolationSide[];
  /** On how many sides it takes to be for a violation. */
  readonly atLeast: number;
}

/** What a policy says about how to deal with its violations. */
export type PolicyAdvice = Pick<SodPolicy, 'correctionAdvice' | 'compensatingControls'>;

/** One violation that the requested access would cause; with the policy's advice where reasons were asked for. */
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
  /** Where it was asked for. */
  readonly remediation?: Remediation;
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
  if (countOppositeSides(index, requested) === 0) return [];
  const access = markAccess(index, held, requested);
  const contexts: ViolationContext[] = [];
  for (const number of findViolated(index, requested, access)) contexts.push(violationAt(index, number, access));
  return contexts;
}

/** The violation of a policy that was found violated. */
export function violationAt(index: SodIndex, violated: number, access: MarkedAccess): ViolationContext {
  const { table, number } = tableOf(index, violated);
  const wide = kOfNAt(table, number);
  if (wide !== null) return { policy: policyAt(table, number).policy, ...wideConflict(index.catalogue, wide, access) };
  const left = itemsOf(index.catalogue, { rows: table.sides, row: number * 2 }, access);
  const right = itemsOf(index.catalogue, { rows: table.sides, row: number * 2 + 1 }, access);
  return {
    policy: policyAt(table, number).policy,
    preexisting: left.some(isExisting) && right.some(isExisting),
    conflictingAccessCriteria: { leftCriteria: { criteriaList: left }, rightCriteria: { criteriaList: right } },
  };
}

function wideConflict(
  catalogue: SodCatalogue,
  { wide, place }: KOfNPolicy,
  access: MarkedAccess,
): Omit<ViolationContext, 'policy'> {
  const end = wide.sideStarts[place + 1] ?? 0;
  const atLeast = wide.atLeast[place] ?? 0;
  const criteria: NamedViolationSide[] = [];
  for (let row = wide.sideStarts[place] ?? 0; row < end; row++) {
    const criteriaList = itemsOf(catalogue, { rows: wide.sides, row }, access);
    if (criteriaList.length > 0) criteria.push({ name: sideNameAt(wide, row), criteriaList });
  }
  const heldSides = criteria.filter(({ criteriaList }) => criteriaList.some(isExisting)).length;
  return { preexisting: heldSides >= atLeast, conflictingAccessCriteria: { criteria, atLeast } };
}

function itemsOf(catalogue: SodCatalogue, { rows, row }: SideRow, { marks, heldMark }: MarkedAccess): ViolationItem[] {
  const items: ViolationItem[] = [];
  const end = rows.starts[row + 1] ?? 0;
  for (let at = rows.starts[row] ?? 0; at < end; at++) {
    const number = rows.values[at] ?? 0;
    const mark = marks[number] ?? 0;
    if (mark < heldMark) continue;
    const { id, name } = entitlementAt(catalogue, number);
    items.push({ type: 'ENTITLEMENT', id, name, existing: mark === heldMark });
  }
  return items;
}

const isExisting = ({ existing }: ViolationItem) => existing;
