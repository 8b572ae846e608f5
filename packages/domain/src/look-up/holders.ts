import type { NamedRef } from '../access/model/named-ref.ts';
import type { AccessProfile, AccessRef, AccessType, Role, TimedAccessRef } from '../access/model/records.ts';
import { compareTexts } from '../basics/order/compare-texts.ts';
import type { AccessHolder } from './records.ts';

/** The assignments that give something, with the way from each down to it. */
export type GrantingAccess = ReadonlyMap<string, readonly NamedRef<AccessType>[]>;

/** A ref as one text. */
export const refKey = ({ type, id }: AccessRef): string => `${type} ${id}`;

/** The bundles that contain something, directly or through an access profile. */
export interface Bundles {
  readonly accessProfiles: readonly AccessProfile[];
  readonly roles: readonly Role[];
}

/** The assignments that give `target`. `bundles` may have others than those that contain it. */
export function grantingAccessOf(target: AccessRef, { accessProfiles, roles }: Bundles): GrantingAccess {
  const grantingAccess = new Map<string, readonly NamedRef<AccessType>[]>([[refKey(target), []]]);
  const profiles = new Map<string, NamedRef<'ACCESS_PROFILE'>>();
  if (target.type === 'ENTITLEMENT')
    for (const { id, name, entitlements } of accessProfiles)
      if (entitlements.includes(target.id)) {
        const profile = { type: 'ACCESS_PROFILE', id, name } as const;
        profiles.set(id, profile);
        grantingAccess.set(refKey(profile), [profile]);
      }
  for (const { id, name, ...role } of target.type === 'ROLE' ? [] : roles) {
    const ref = { type: 'ROLE', id, name } as const;
    const isDirect = (target.type === 'ENTITLEMENT' ? role.entitlements : role.accessProfiles).includes(target.id);
    const profile = profiles.get(role.accessProfiles.filter((each) => profiles.has(each)).toSorted()[0] ?? '');
    if (isDirect) grantingAccess.set(refKey(ref), [ref]);
    else if (profile !== undefined) grantingAccess.set(refKey(ref), [ref, profile]);
  }
  return grantingAccess;
}

/** The assignments of an identity by which it holds something: the shortest way first, then by ids and start. */
export function accessHoldersOf(
  identity: NamedRef<'IDENTITY'>,
  access: readonly TimedAccessRef[],
  grantingAccess: GrantingAccess,
): readonly AccessHolder[] {
  const holders: AccessHolder[] = [];
  for (const ref of access) {
    const via = grantingAccess.get(refKey(ref));
    if (via !== undefined) holders.push({ identity, via, start: ref.start ?? null, end: ref.end ?? null });
  }
  return holders.length < 2 ? holders : holders.toSorted(compareAccessHolders);
}

function compareAccessHolders(left: AccessHolder, right: AccessHolder): number {
  const byLength = left.via.length - right.via.length;
  return byLength !== 0 ? byLength : compareTexts(orderKey(left), orderKey(right));
}

const orderKey = ({ via, start, end }: AccessHolder): string =>
  [...via.map(({ type, id }) => `${id} ${type}`), start ?? '', end ?? '~'].join('\n');
