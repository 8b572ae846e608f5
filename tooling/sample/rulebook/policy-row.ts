import type { SodPolicyLevel, SodPolicyState } from '@access-admin/domain';

type Side = readonly [name: string, ...entitlements: string[]];

/**
 * One policy in the form of this folder: with two sides, with several of which it is violated on `atLeast`, or with one of which
 * any item is critical.
 */
export type PolicyRow = PolicyText &
  (
    | { readonly left: Side; readonly right: Side }
    | { readonly sides: readonly Side[]; readonly atLeast: number }
    | { readonly critical: Side }
  );

/** What a policy says besides its criteria. A side is its name, then the ids of its entitlements. */
interface PolicyText {
  readonly id: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
  readonly state?: SodPolicyState;
  readonly risk: string;
  readonly advice: string;
  readonly controls?: string;
  readonly reference?: string;
  readonly tags: readonly string[];
}
