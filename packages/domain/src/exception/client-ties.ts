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
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    if (root !== id) parents.set(id, root);
    return root;
  };
  // Of all chains the one whose oldest client is the youngest holds longest.
  for (const { identityId, makerId, made } of ties.toSorted((one, other) => (one.made < other.made ? 1 : -1))) {
    const [identity, maker] = [rootOf(identityId), rootOf(makerId)];
    const until = new Date(Date.parse(made) + CLIENT_TIE_HOURS * 3_600_000).toISOString();
    if (until <= now) return null;
    if (identity !== maker) parents.set(identity, maker);
    if (left !== right && rootOf(left) === rootOf(right)) return until;
  }
  return null;
}
