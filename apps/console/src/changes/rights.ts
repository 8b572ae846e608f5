import type { Capability, CurrentSession, SodViolation } from '@access-admin/client';

/** The capabilities that change every violation, and that read and request exceptions. */
export const MANAGING: readonly Capability[] = ['ORG_ADMIN', 'POLICY_ADMIN'];

/** The capabilities that look people up. */
const LOOKING_UP: readonly Capability[] = [...MANAGING, 'HELPDESK', 'das:ui-auditor'];

/** What a person may do about a violation. The service decides; the drawer says it in advance. */
export interface ViolationRights {
  /** Whether the person may request an exception and apply a control; `OWN` where only another person may. */
  readonly except: 'YES' | 'NO' | 'OWN';
  readonly mayReassign: boolean;
  readonly mayLookUp: boolean;
}

/** The rights of the session. An owner reassigns a violation without a capability. */
export function rightsOn(
  { target, owner }: Pick<SodViolation, 'target' | 'owner'>,
  { identityId, capabilities }: Pick<CurrentSession, 'identityId' | 'capabilities'>,
): ViolationRights {
  const hasOne = (needed: readonly Capability[]) => needed.some((each) => capabilities.includes(each));
  const isManager = hasOne(MANAGING);
  return {
    except: !isManager ? 'NO' : target.id === identityId ? 'OWN' : 'YES',
    mayReassign: isManager || owner?.id === identityId,
    mayLookUp: hasOne(LOOKING_UP),
  };
}
