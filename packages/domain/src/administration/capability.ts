import { type Forbidden, failure } from '../basics/result/failure.ts';

/** Every capability that an auth user can have; other names are invalid. */
export const CAPABILITIES = [
  'CERT_ADMIN',
  'CLOUD_GOV_ADMIN',
  'CLOUD_GOV_USER',
  'HELPDESK',
  'INTERNAL',
  'ORG_ADMIN',
  'POLICY_ADMIN',
  'REPORT_ADMIN',
  'ROLE_ADMIN',
  'ROLE_SUBADMIN',
  'SAAS_MANAGEMENT_ADMIN',
  'SAAS_MANAGEMENT_READER',
  'SOURCE_ADMIN',
  'SOURCE_SUBADMIN',
  'das:ui-administrator',
  'das:ui-compliance_manager',
  'das:ui-auditor',
  'das:ui-data-scope',
  'sp:aic-dashboard-read',
  'sp:aic-dashboard-write',
  'sp:ui-config-hub-admin',
  'sp:ui-config-hub-backup-admin',
  'sp:ui-config-hub-read',
] as const;

/** The name of a known capability. */
export type Capability = (typeof CAPABILITIES)[number];

/** Whether a text names a capability. */
export const isCapability = (text: string): text is Capability => CAPABILITIES.some((each) => each === text);

/** The most capabilities that one auth user can have. */
export const CAPABILITIES_MAX = 64;

/** A requested change of the capabilities of one auth user. */
export interface CapabilityChange {
  readonly before: readonly Capability[];
  readonly after: readonly Capability[];
  /** The id of the identity whose capabilities change. */
  readonly targetId: string;
  readonly caller: ComparedCaller;
  readonly channel: 'PATCH' | 'IMPORT';
  /** The path of the capabilities in the input, for the cause. */
  readonly at: string;
}

/** A caller, as it is compared with the identities that it changes. */
export interface ComparedCaller {
  /** Null for an application, which is not compared. */
  readonly identityId: string | null;
  readonly capabilities: readonly Capability[];
}

/**
 * What an identity counts as having wherever its capabilities are compared with those of another one: with `ORG_ADMIN` also
 * every other capability but `INTERNAL`, because it may give them all. What an operation requires is not such a comparison.
 */
export const effectiveCapabilities = (capabilities: readonly Capability[]): readonly Capability[] =>
  capabilities.includes('ORG_ADMIN')
    ? CAPABILITIES.filter((each) => each !== 'INTERNAL' || capabilities.includes(each))
    : capabilities;

/** The first of these capabilities that a caller lacks; null when it lacks none, as an application. */
export function lackedCapability(capabilities: readonly Capability[], caller: ComparedCaller): Capability | null {
  if (caller.identityId === null) return null;
  const held = effectiveCapabilities(caller.capabilities);
  return capabilities.find((each) => !held.includes(each)) ?? null;
}

/** Whether a change gives a capability. */
export const gainsCapability = (before: readonly Capability[], after: readonly Capability[]): boolean =>
  after.some((each) => !before.includes(each));

/** Whether two lists, each with every capability once, have the same ones in any order. */
export const areSameCapabilities = (left: readonly Capability[], right: readonly Capability[]): boolean =>
  left.length === right.length && left.every((capability) => right.includes(capability));

/**
 * Validates a change by what it adds and removes: null when the caller may make it, otherwise `Forbidden`. Does not check
 * whether an `ORG_ADMIN` remains.
 */
export function validateCapabilityChange(change: CapabilityChange): Forbidden | null {
  const { before, after, targetId, caller, channel, at } = change;
  const added = after.filter((capability) => !before.includes(capability));
  const removed = before.filter((capability) => !after.includes(capability));
  const isApplication = caller.identityId === null;

  if ((channel === 'PATCH' || !isApplication) && (added.includes('INTERNAL') || removed.includes('INTERNAL'))) {
    return failure('Forbidden', at, 'INTERNAL is reserved: only an import by an application can add or remove it');
  }
  if (isApplication) return null;
  if (added.length > 0 && targetId === caller.identityId) {
    return failure('Forbidden', at, 'a caller cannot add a capability to itself: another administrator has to');
  }
  const lacked = lackedCapability(added, caller);
  return lacked === null
    ? null
    : failure('Forbidden', at, `a caller cannot add the capability ${lacked}, which it lacks: one that has it has to`);
}
