import { canonicalJson } from '../../basics/json/canonical.ts';
import {
  atLeastOf,
  isKOfN,
  type SodCriteria,
  type SodPolicy,
  type SodPolicyLevel,
  sidesOf,
} from '../../policies/model.ts';
import type { KOfNConflict, TwoSidedConflict, ViolationSide } from '../../predictions/violation-context.ts';

/** What an approval of an exception is of: the policy, and the items by which the identity violates it. */
export interface ExceptionTerms {
  readonly policyName: string;
  readonly level: SodPolicyLevel;
  /** As a violation shows it, with the names of the items at that time. */
  readonly conflictingAccessCriteria: TwoSidedConflict | KOfNConflict;
  /**
   * SHA-256 of the canonical JSON (RFC 8785) of name, level and criteria of the policy and of the conflicting items, in
   * lower-case hexadecimal digits. Equal digests are equal approvals: names of items and their order do not count.
   */
  readonly digest: string;
}

/** The conflict of an identity with a policy, to which an approval is bound. */
export interface HeldConflict {
  /** Equal for one policy as long as it has the same name, level and criteria. */
  readonly policy: string;
  /** The ids of the conflicting items that the identity holds. */
  readonly items: readonly string[];
}

/** A conflict as an approver sees it. */
export interface SeenConflict extends HeldConflict {
  readonly terms: ExceptionTerms;
}

type TermsPolicy = Pick<SodPolicy, 'name' | 'level' | 'conflictingAccessCriteria'>;

/**
 * What an approval of an exception is bound to in a policy, as text: name, level and criteria. The order of the items of a
 * side and their names do not count.
 */
export function approvedTermsOf({ name, level, conflictingAccessCriteria: criteria }: TermsPolicy): string {
  const sides = sidesOf(criteria).map((side) => [side.name, side.criteriaList.map(({ id }) => id).toSorted()]);
  return JSON.stringify([name, level, atLeastOf(criteria), sides]);
}

/** The items that an identity holds. */
interface HeldItems {
  /** The ids of the conflicting ones, sorted. */
  readonly items: readonly string[];
  /** The present names of items. */
  readonly names: ReadonlyMap<string, string>;
}

/** How a policy is violated by items that an identity holds. `sha256` returns lower-case hexadecimal digits. */
export function seeTerms(
  policy: TermsPolicy,
  { items, names }: HeldItems,
  sha256: (text: string) => string,
): ExceptionTerms {
  const { name, level, conflictingAccessCriteria: criteria } = policy;
  const held = new Set(items);
  const shown = ({ criteriaList }: SodCriteria): ViolationSide => {
    const ids = [...new Set(criteriaList.map(({ id }) => id))].filter((id) => held.has(id)).sort();
    const toItem = (id: string) => ({ type: 'ENTITLEMENT', id, name: names.get(id) ?? id, existing: true }) as const;
    return { criteriaList: ids.map(toItem) };
  };
  const conflictingAccessCriteria = isKOfN(criteria)
    ? {
        criteria: criteria.criteria
          .map((side) => ({ name: side.name, criteriaList: shown(side).criteriaList }))
          .filter(({ criteriaList }) => criteriaList.length > 0),
        atLeast: criteria.atLeast,
      }
    : { leftCriteria: shown(criteria.leftCriteria), rightCriteria: shown(criteria.rightCriteria) };
  const sides = sidesOf(criteria).map((side) => ({
    name: side.name,
    items: side.criteriaList.map(({ id }) => id).toSorted(),
  }));
  const bound = { name, level, criteria: { atLeast: atLeastOf(criteria), sides }, conflictingItems: items };
  return { policyName: name, level, conflictingAccessCriteria, digest: sha256(canonicalJson(bound)) };
}
