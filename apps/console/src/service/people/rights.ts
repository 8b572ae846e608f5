import type { Capability, CurrentSession } from '@access-admin/client';
import { missingRight, type Right } from '../rights.ts';

/** Rights that each person has on the own record. */
const OWN: readonly Right[] = ['authUser', 'sessions'];

type Holder = Pick<CurrentSession, 'identityId' | 'capabilities'>;

/** The capabilities one of which is missing for a right on a person; null where the right is there. */
export const missingFor = (right: Right, holder: Holder, personId: string): readonly Capability[] | null =>
  OWN.includes(right) && holder.identityId === personId ? null : missingRight(right, holder);

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
