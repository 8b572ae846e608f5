import type { Capability } from '../../administration/capability.ts';

/** The capabilities each of which permits to approve exceptions. */
export const APPROVING_CAPABILITIES = ['ORG_ADMIN', 'POLICY_ADMIN'] as const satisfies readonly Capability[];

/** Whether a change of capabilities adds one that permits to approve exceptions. */
export const gainsApproval = (before: readonly Capability[], after: readonly Capability[]): boolean =>
  APPROVING_CAPABILITIES.some((capability) => after.includes(capability) && !before.includes(capability));
