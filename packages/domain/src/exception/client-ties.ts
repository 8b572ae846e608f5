/** For how long a client ties the identity that it acts as to the identity that made it. */
export const CLIENT_TIE_HOURS = 24;

/** A client that one identity made for another, directly or by an application that it had made. */
export interface ClientTie {
  /** The identity that the client acts as. */
  readonly identityId: string;
  readonly makerId: string;
  /** ISO 8601 in UTC with milliseconds, as all instants here. */
  readonly made: string;
}

/**
 * Until when two identities are tied at `now`; null when they are not. A maker knows the secrets of all clients that it made,
 * so ties join: two identities are tied by a chain of clients, all younger than 24 hours, for as long as the chain holds.
 */
export function tiedUntil(
  ties: readonly ClientTie[],
  [left, right]: readonly [string, string],
  now: string,
): string | null {
  const groups = createGroups();
  const earliest = new Date(Date.parse(now) - CLIENT_TIE_HOURS * 3_600_000).toISOString();
  // Of all chains the one whose oldest client is the youngest holds longest.
  for (const { identityId, makerId, made } of ties.toSorted((one, other) => (one.made < other.made ? 1 : -1))) {
    if (made <= earliest) return null;
    groups.join(identityId, makerId);
    if (left !== right && groups.rootOf(left) === groups.rootOf(right))
      return new Date(Date.parse(made) + CLIENT_TIE_HOURS * 3_600_000).toISOString();
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
    const [first, second] = [sizes.get(roots[0]) ?? 1, sizes.get(roots[1]) ?? 1];
    const [child, root] = first < second ? roots : [roots[1], roots[0]];
    parents.set(child, root);
    sizes.set(root, first + second);
  };
  return { rootOf, join };
}
