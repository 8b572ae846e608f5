import type { Capability } from '@access-admin/client';
import { keysOf, recordOf } from '../keys-of.ts';
import { EFFECTIVE_CAPABILITIES, type EffectiveCapability } from './effective-capabilities.ts';

/** Those that are kept for other services, which read them. */
const OTHERS: Readonly<Record<Exclude<Capability, EffectiveCapability>, true>> = {
  CERT_ADMIN: true,
  CLOUD_GOV_ADMIN: true,
  CLOUD_GOV_USER: true,
  INTERNAL: true,
  REPORT_ADMIN: true,
  ROLE_ADMIN: true,
  ROLE_SUBADMIN: true,
  SAAS_MANAGEMENT_ADMIN: true,
  SAAS_MANAGEMENT_READER: true,
  SOURCE_ADMIN: true,
  SOURCE_SUBADMIN: true,
  'das:ui-administrator': true,
  'das:ui-compliance_manager': true,
  'das:ui-data-scope': true,
  'sp:aic-dashboard-read': true,
  'sp:aic-dashboard-write': true,
  'sp:ui-config-hub-admin': true,
  'sp:ui-config-hub-backup-admin': true,
  'sp:ui-config-hub-read': true,
};

/** The capabilities that permit nothing here. */
export const OTHER_CAPABILITIES: readonly Capability[] = keysOf(OTHERS);

const ALL: readonly Capability[] = [...EFFECTIVE_CAPABILITIES, ...OTHER_CAPABILITIES];

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
