import type { Capability } from '@access-admin/client';
import { keysOf, recordOf } from '../keys-of.ts';

/** Every capability, and whether it permits anything in this service. The others are kept for other services that read them. */
const HAS_EFFECT: Readonly<Record<Capability, boolean>> = {
  ORG_ADMIN: true,
  POLICY_ADMIN: true,
  HELPDESK: true,
  'das:ui-auditor': true,
  CERT_ADMIN: false,
  CLOUD_GOV_ADMIN: false,
  CLOUD_GOV_USER: false,
  INTERNAL: false,
  REPORT_ADMIN: false,
  ROLE_ADMIN: false,
  ROLE_SUBADMIN: false,
  SAAS_MANAGEMENT_ADMIN: false,
  SAAS_MANAGEMENT_READER: false,
  SOURCE_ADMIN: false,
  SOURCE_SUBADMIN: false,
  'das:ui-administrator': false,
  'das:ui-compliance_manager': false,
  'das:ui-data-scope': false,
  'sp:aic-dashboard-read': false,
  'sp:aic-dashboard-write': false,
  'sp:ui-config-hub-admin': false,
  'sp:ui-config-hub-backup-admin': false,
  'sp:ui-config-hub-read': false,
};

/** A capability that permits something here. */
export type EffectiveCapability = 'ORG_ADMIN' | 'POLICY_ADMIN' | 'HELPDESK' | 'das:ui-auditor';

/** Whether a capability permits something here. */
export const isEffective = (capability: Capability): capability is EffectiveCapability => HAS_EFFECT[capability];

const ALL: readonly Capability[] = keysOf(HAS_EFFECT);

/** The capabilities that permit something here, the most far-reaching first. */
export const EFFECTIVE_CAPABILITIES: readonly EffectiveCapability[] = ALL.filter(isEffective);

/** The other capabilities. */
export const OTHER_CAPABILITIES: readonly Capability[] = ALL.filter((each) => !isEffective(each));

/** Whether each capability is held. */
export type HeldCapabilities = Readonly<Record<Capability, boolean>>;

/** Which of all capabilities are held. */
export const heldOf = (held: readonly Capability[]): HeldCapabilities => recordOf(ALL, (each) => held.includes(each));

/** Every capability under its name. */
export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = recordOf(ALL, (each) => each);

/** The capabilities after changes; given ones become the last. */
export const changedBy = (held: readonly Capability[], changes: Partial<HeldCapabilities>): readonly Capability[] => [
  ...held.filter((each) => changes[each] !== false),
  ...ALL.filter((each) => changes[each] === true && !held.includes(each)),
];
