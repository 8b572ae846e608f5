import type { SodPolicyLevel, SodPolicyState } from '@access-admin/domain';

/** One policy in the form of this folder. A side is its name, then the ids of its entitlements. */
export interface PolicyRow {
  readonly id: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
  readonly state?: SodPolicyState;
  readonly left: readonly [name: string, ...entitlements: string[]];
  readonly right: readonly [name: string, ...entitlements: string[]];
  readonly risk: string;
  readonly advice: string;
  readonly controls?: string;
  readonly reference?: string;
  readonly tags: readonly string[];
}
