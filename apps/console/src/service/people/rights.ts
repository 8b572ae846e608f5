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
export type CapabilityRefusal = 'reserved' | 'own';

/** Why the service refuses an administrator to give a capability to a person, or to take it; null where it permits it. */
export function refusalOf(
  capability: Capability,
  holder: Holder,
  { personId, isHeld }: { readonly personId: string; readonly isHeld: boolean },
): CapabilityRefusal | null {
  if (capability === 'INTERNAL') return 'reserved';
  return !isHeld && holder.identityId === personId ? 'own' : null;
}

/**
 * The first capability of a person that the holder lacks, which forbids changing how the person signs in; null without one.
 * Whoever administers everything lacks at most the reserved one.
 */
export const strongerThan = (held: readonly Capability[], { capabilities }: Holder): Capability | null =>
  held.find((each) => !capabilities.includes(each) && (each === 'INTERNAL' || !capabilities.includes('ORG_ADMIN'))) ??
  null;
