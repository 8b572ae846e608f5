import { showExternalData } from '../access/model/attributes.ts';
import type { NamedRef } from '../access/model/named-ref.ts';
import type {
  AccessProfile,
  AccessType,
  Entitlement,
  Identity,
  Role,
  TimedAccessRef,
} from '../access/model/records.ts';
import type { Account } from '../access/sources/account.ts';
import type {
  ListedIdentity,
  ShownAccessProfile,
  ShownAssignment,
  ShownEntitlement,
  ShownIdentity,
  ShownRole,
  ViolationCounts,
} from './records.ts';

/** The name of a referenced record. */
export type NameOf = (ref: {
  readonly type: AccessType | 'IDENTITY_PROFILE';
  readonly id: string;
}) => string | undefined;

/** An entitlement as look-ups show it. */
export const showEntitlement = ({ id, name, source, grants = [], ...external }: Entitlement): ShownEntitlement => ({
  id,
  name,
  source,
  grants,
  ...showExternalData(external),
});

/** An access profile with the names of its content; an id stands for a name that is missing. */
export const showAccessProfile = (
  { id, name, entitlements, ...external }: AccessProfile,
  nameOf: NameOf,
): ShownAccessProfile => ({
  id,
  name,
  entitlements: entitlements.map((each) => named('ENTITLEMENT', each, nameOf)),
  ...showExternalData(external),
});

/** A role with the names of its content. */
export const showRole = ({ id, name, accessProfiles, entitlements, ...external }: Role, nameOf: NameOf): ShownRole => ({
  id,
  name,
  accessProfiles: accessProfiles.map((each) => named('ACCESS_PROFILE', each, nameOf)),
  entitlements: entitlements.map((each) => named('ENTITLEMENT', each, nameOf)),
  ...showExternalData(external),
});

/** An identity as lists show it. */
export const listIdentity = (
  { identityProfile, ...identity }: Omit<Identity, 'access'>,
  violations: ViolationCounts,
  nameOf: NameOf,
): ListedIdentity => ({
  ...identity,
  ...showExternalData(identity),
  identityProfile: named('IDENTITY_PROFILE', identityProfile, nameOf),
  violations,
});

/** What an account of an identity grants. */
export type GrantingAccount = Pick<Account, 'key' | 'source' | 'access'>;

/** An identity with its own assignments, and those of its accounts. */
export const showIdentity = (
  { access, ...identity }: Identity,
  { violations, accounts }: { readonly violations: ViolationCounts; readonly accounts: readonly GrantingAccount[] },
  nameOf: NameOf,
): ShownIdentity => ({
  ...listIdentity(identity, violations, nameOf),
  assignments: [
    ...access.map((ref) => showAssignment(ref, nameOf)),
    ...accounts.flatMap(({ key, source, access: granted }) =>
      granted.map((ref) => ({ ...showAssignment(ref, nameOf), source, accountKey: key })),
    ),
  ],
});

const showAssignment = ({ type, id, start, end }: TimedAccessRef, nameOf: NameOf): ShownAssignment => ({
  ...named(type, id, nameOf),
  start: start ?? null,
  end: end ?? null,
});

function named<T extends AccessType | 'IDENTITY_PROFILE'>(type: T, id: string, nameOf: NameOf): NamedRef<T> {
  return { type, id, name: nameOf({ type, id }) ?? id };
}
