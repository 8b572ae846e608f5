import type { AccessRef, AccessType } from '../../access/model/records.ts';
import { rowAt } from '../collections/rows.ts';
import { type Entitlements, entitlementsOf } from '../evaluation/access.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import type { FixProblem } from './plan.ts';

/** What a plan never takes away. */
export interface Protection extends Pick<FixProblem, 'entitlementCount' | 'protectedEntitlements'> {
  /** What a ref gives: its entitlements, and protected access profiles as numbers after them; undefined when the catalogue does not have it. */
  givenBy(ref: AccessRef): Entitlements | undefined;
  /** Whether a ref is protected itself. */
  isProtected(ref: AccessRef): boolean;
}

/** Protects refs: each itself, and what gives it where nothing else does. */
export function protectionOf(catalogue: SodCatalogue, refs: readonly AccessRef[]): Protection {
  const { entitlements, numbers, accessProfiles, roles } = catalogue;
  const idsOf = (type: AccessType) => new Set(refs.flatMap((ref) => (ref.type === type ? ref.id : [])));
  const ids = {
    ENTITLEMENT: idsOf('ENTITLEMENT'),
    ACCESS_PROFILE: idsOf('ACCESS_PROFILE'),
    ROLE: idsOf('ROLE'),
  };
  const profiles = new Map<number, number>();
  for (const id of ids.ACCESS_PROFILE) {
    const profile = accessProfiles.numbers.get(id);
    if (profile !== undefined) profiles.set(profile, entitlements.length + profiles.size);
  }
  const profilesOf = ({ type, id }: AccessRef): ArrayLike<number> => {
    const number = type === 'ENTITLEMENT' ? undefined : (type === 'ROLE' ? roles : accessProfiles).numbers.get(id);
    if (number === undefined) return [];
    return type === 'ROLE' ? rowAt(roles.accessProfiles, number) : [number];
  };
  return {
    entitlementCount: entitlements.length + profiles.size,
    protectedEntitlements: new Set([
      ...Array.from(ids.ENTITLEMENT).flatMap((id) => numbers.get(id) ?? []),
      ...profiles.values(),
    ]),
    givenBy: (ref) => {
      const granted = entitlementsOf(catalogue, ref);
      if (granted === undefined || profiles.size === 0) return granted;
      const given = Array.from(profilesOf(ref)).flatMap((profile) => profiles.get(profile) ?? []);
      return given.length === 0 ? granted : [...Array.from(granted), ...given.sort((left, right) => left - right)];
    },
    isProtected: ({ type, id }) => ids[type].has(id),
  };
}
