import type { Identity, IdentityProfile } from '../../access/model/records.ts';
import type { AuthProfileSettings } from '../../administration/auth-profile.ts';
import { gainsApproval } from './approving.ts';

/** For how many hours an identity stays tied to whoever may act as it. */
export const IDENTITY_TIE_HOURS = 24;

/**
 * What one identity did, itself or by an application of its own, so that it may act as another: it made a client or a sign-in
 * link for it, removed its credentials, created or changed it, or changed how its auth profile signs in.
 */
export interface IdentityTie {
  /** The identity as which the maker may act. */
  readonly identityId: string;
  readonly makerId: string;
  /** ISO 8601 in UTC with milliseconds, as all instants here. */
  readonly made: string;
}

/** Until when two identities are tied at `now`, by what one of them did; null when they are not. */
export function tiedUntil(
  ties: readonly IdentityTie[],
  [left, right]: readonly [string, string],
  now: string,
): string | null {
  const ends = ties
    .filter(
      ({ identityId, makerId }) =>
        identityId !== makerId && [left, right].includes(identityId) && [left, right].includes(makerId),
    )
    .map(({ made }) => new Date(Date.parse(made) + IDENTITY_TIE_HOURS * 3_600_000).toISOString())
    .toSorted();
  const last = ends.at(-1) ?? null;
  return last !== null && last > now ? last : null;
}

/** What of an identity decides who acts as it, and what it may approve. */
type Acting = Pick<Identity, 'uid' | 'identityProfile' | 'capabilities'>;

/**
 * Whether a change of an identity ties it to whoever makes the change: it creates the identity (`before` is null), changes by
 * what somebody signs in as it, or permits it to approve exceptions.
 */
export const tiesToMaker = (before: Acting | null, after: Acting): boolean =>
  before === null ||
  before.uid !== after.uid ||
  before.identityProfile !== after.identityProfile ||
  gainsApproval(before.capabilities, after.capabilities);

/** Finds the written identities that the write ties to its maker. `stored` has those that existed before. */
export function* identitiesTied(
  written: readonly Identity[],
  stored: ReadonlyMap<string, Identity>,
): Generator<string, void> {
  for (const identity of written) if (tiesToMaker(stored.get(identity.id) ?? null, identity)) yield identity.id;
}

/** The identities among written ones that get another identity profile, with the one that they had. */
export function* identitiesMoved(
  written: readonly Identity[],
  stored: ReadonlyMap<string, Identity>,
): Generator<{ readonly id: string; readonly from: string }, void> {
  for (const { id, identityProfile } of written) {
    const from = stored.get(id)?.identityProfile;
    if (from !== undefined && from !== identityProfile) yield { id, from };
  }
}

/** True when a change of an identity profile ties its maker to all identities of the profile, which then sign in elsewhere. */
export const tiesMembersToMaker = (before: AuthProfileSettings, after: AuthProfileSettings): boolean =>
  before.type !== after.type ||
  before.applicationId !== after.applicationId ||
  before.applicationName !== after.applicationName;

/** Finds the written profiles whose identities the write ties to its maker. `stored` has those that existed before. */
export function* profilesTied(
  written: readonly IdentityProfile[],
  stored: ReadonlyMap<string, IdentityProfile>,
): Generator<string, void> {
  for (const { id, authProfile } of written) {
    const before = stored.get(id);
    if (before !== undefined && tiesMembersToMaker(before.authProfile, authProfile)) yield id;
  }
}
