import { OPERATION_RIGHTS, type OperationRights } from '@access-admin/domain';

/** The rights that the service promises for one operation. */
export interface PromisedRights {
  readonly operationId: string;
  /** Any one is enough. */
  readonly scopes: readonly string[];
  /** Any one is enough for a caller that acts as an identity. */
  readonly capabilities: readonly string[];
  /** Whether an identity needs no capability for itself. */
  readonly self: boolean;
  /** Whether applications may use it. */
  readonly applications: boolean;
  /** What an identity needs not even a scope for. */
  readonly own: 'SELF' | 'LIST' | null;
}

/** The rights of every operation; everything else is denied. The domain's tests compare its table with this one. */
export const PROMISED_RIGHTS: readonly PromisedRights[] = Object.entries<OperationRights>(OPERATION_RIGHTS).map(
  ([operationId, { scopes, capabilities, self, identitiesOnly, own = null }]) => ({
    ...{ operationId, scopes, capabilities, self },
    applications: identitiesOnly !== true,
    own,
  }),
);

/** The rights of a caller; the identity is null for an application. */
export interface CallerRights {
  readonly scopes: readonly string[];
  readonly identityId: string | null;
  readonly capabilities: readonly string[];
}

/** Whether a caller may use an operation; `targetId` is the identity that it is about, or null. */
export function isPromised(
  table: readonly PromisedRights[],
  operationId: string,
  { scopes, identityId, capabilities, targetId }: CallerRights & { readonly targetId: string | null },
): boolean {
  const rights = table.find((row) => row.operationId === operationId);
  if (rights === undefined) return false;
  if (identityId !== null && (rights.own === 'LIST' || (rights.own === 'SELF' && targetId === identityId))) return true;
  if (!rights.scopes.some((scope) => scopes.includes(scope))) return false;
  if (identityId === null) return rights.applications;
  if (rights.self && targetId === identityId) return true;
  return (
    rights.capabilities.length === 0 || rights.capabilities.some((capability) => capabilities.includes(capability))
  );
}
