import type { Capability, CurrentSession } from '@access-admin/client';

/** The capabilities that give a right on people, any one of each list. The service decides; pages say it in advance. */
const NEEDED = {
  violations: ['ORG_ADMIN', 'POLICY_ADMIN', 'das:ui-auditor'],
  exceptions: ['ORG_ADMIN', 'POLICY_ADMIN', 'das:ui-auditor'],
  prediction: ['ORG_ADMIN', 'POLICY_ADMIN'],
  authProfile: ['ORG_ADMIN', 'das:ui-auditor'],
  authUser: ['ORG_ADMIN', 'HELPDESK', 'das:ui-auditor'],
  capabilities: ['ORG_ADMIN'],
  credentials: ['ORG_ADMIN', 'HELPDESK'],
  sessions: ['ORG_ADMIN'],
} as const satisfies Record<string, readonly Capability[]>;

export type PersonRight = keyof typeof NEEDED;

/** Rights that each person has on the own record. */
const OWN: readonly PersonRight[] = ['authUser', 'sessions'];

type Holder = Pick<CurrentSession, 'identityId' | 'capabilities'>;

/** The capabilities one of which is missing for a right on a person; null where the right is there. */
export function missingFor(right: PersonRight, { identityId, capabilities }: Holder, personId: string) {
  const needed: readonly Capability[] = NEEDED[right];
  if (OWN.includes(right) && identityId === personId) return null;
  return needed.some((each) => capabilities.includes(each)) ? null : needed;
}

/** Why a capability of a person cannot be changed. */
export type CapabilityRefusal = 'reserved' | 'own' | 'lacked';

/** Why the service refuses to give a capability to a person, or to take it; null where it permits it. */
export function refusalOf(
  capability: Capability,
  holder: Holder,
  { personId, isHeld }: { readonly personId: string; readonly isHeld: boolean },
): CapabilityRefusal | null {
  if (capability === 'INTERNAL') return 'reserved';
  if (isHeld) return null;
  if (holder.identityId === personId) return 'own';
  return holder.capabilities.includes(capability) ? null : 'lacked';
}

/** The first capability of a person that the holder lacks, which forbids changing how the person signs in; null without one. */
export const strongerThan = (held: readonly Capability[], { capabilities }: Holder): Capability | null =>
  held.find((each) => !capabilities.includes(each)) ?? null;
