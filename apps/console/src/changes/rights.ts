import type { CurrentSession, SodViolation } from '@access-admin/client';
import { missingRight, type Right } from '../service/rights.ts';

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
  session: Pick<CurrentSession, 'identityId' | 'capabilities'>,
): ViolationRights {
  const may = (right: Right) => missingRight(right, session) === null;
  const { identityId } = session;
  return {
    except: !may('decide') ? 'NO' : target.id === identityId ? 'OWN' : 'YES',
    mayReassign: may('reassign') || owner?.id === identityId,
    mayLookUp: may('people'),
  };
}
