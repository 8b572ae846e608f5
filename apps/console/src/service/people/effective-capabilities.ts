import type { Capability } from '@access-admin/client';

/** The capabilities that permit something in this service, the most far-reaching first. A test compares them with those of the contract. */
export const EFFECTIVE_CAPABILITIES = [
  'ORG_ADMIN',
  'POLICY_ADMIN',
  'HELPDESK',
  'das:ui-auditor',
] as const satisfies readonly Capability[];

/** A capability that permits something here. */
export type EffectiveCapability = (typeof EFFECTIVE_CAPABILITIES)[number];

const EFFECTIVE: ReadonlySet<Capability> = new Set(EFFECTIVE_CAPABILITIES);

/** Whether a capability permits something here. */
export const isEffective = (capability: Capability): capability is EffectiveCapability => EFFECTIVE.has(capability);
