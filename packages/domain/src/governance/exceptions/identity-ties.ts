import type { Identity } from '../../access/model/records.ts';
import { gainsApproval } from './approving.ts';

/** For how many hours an identity stays tied to whoever may act as it. */
export const IDENTITY_TIE_HOURS = 24;

/**
 * What one identity did so that it may act as another: it made a client or a sign-in link for it, removed its credentials, or
 * created or changed it. It may have done so by an application that it had made.
 */
export interface IdentityTie {
  /** The identity as which the maker may act. */
  readonly identityId: string;
  readonly makerId: string;
  /** ISO 8601 in UTC with milliseconds, as all instants here. */
  readonly made: string;
}

/**
 * Until when two identities are tied at `now`; null when they are not. A maker may act as all identities that it is tied to, so
 * ties join: two identities are tied by a chain of ties, all younger than 24 hours, for as long as the chain holds.
 */
export function tiedUntil(
  ties: readonly IdentityTie[],
  [left, right]: readonly [string, string],
  now: string,
): string | null {
  const groups = createGroups();
  const earliest = new Date(Date.parse(now) - IDENTITY_TIE_HOURS * 3_600_000).toISOString();
  // Of all chains the one whose oldest tie is the youngest holds longest.
  for (const { identityId, makerId, made } of ties.toSorted((one, other) => (one.made < other.made ? 1 : -1))) {
    if (made <= earliest) return null;
    groups.join(identityId, makerId);
    if (left !== right && groups.rootOf(left) === groups.rootOf(right))
      return new Date(Date.parse(made) + IDENTITY_TIE_HOURS * 3_600_000).toISOString();
  }
  return null;
}

/** Disjoint sets of ids. The smaller of two joins the larger, so that no path is long. */
function createGroups() {
  const parents = new Map<string, string>();
  const sizes = new Map<string, number>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    return root;
  };
  const join = (one: string, other: string): void => {
    const roots = [rootOf(one), rootOf(other)] as const;
    if (roots[0] === roots[1]) return;
    const first = sizes.get(roots[0]) ?? 1;
    const second = sizes.get(roots[1]) ?? 1;
    const [child, root] = first < second ? roots : [roots[1], roots[0]];
    parents.set(child, root);
    sizes.set(root, first + second);
  };
  return { rootOf, join };
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

/** The identities among written ones that the write ties to whoever makes it. `stored` has those that existed before. */
export function* identitiesTied(
  written: readonly Identity[],
  stored: ReadonlyMap<string, Identity>,
): Generator<string, void> {
  for (const identity of written) if (tiesToMaker(stored.get(identity.id) ?? null, identity)) yield identity.id;
}
