/** An identity that owns a policy, a control or a violation, with its present display name. */
export interface IdentityRef {
  readonly type: 'IDENTITY';
  readonly id: string;
  readonly name: string | null;
}

/** The display names of identities by id; ids of identities that do not exist have no entry. */
export type IdentityNames = ReadonlyMap<string, string | null>;

/** An owner with its present name; null for no owner and for an identity that does not exist any more. */
export function showOwner(id: string | null, names: IdentityNames): IdentityRef | null {
  const name = id === null ? undefined : names.get(id);
  return id === null || name === undefined ? null : { type: 'IDENTITY', id, name };
}
