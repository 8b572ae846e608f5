import { OPERATIONS } from '@access-admin/contract';
import type { OperationRights } from '@access-admin/domain';

/** The rights that the service promises for one operation. */
export interface PromisedRights {
  readonly operationId: string;
  /** Any one is enough. */
  readonly scopes: readonly string[];
  /** Any one is enough for a caller that acts as an identity. */
  readonly capabilities: readonly string[];
  /** What an identity needs for its own. */
  readonly forOwn: OperationRights['forOwn'];
  /** Whether applications may use it. */
  readonly applications: boolean;
  /** Whether identities may use it. */
  readonly identities: boolean;
}

/** The rights of every operation; everything else is denied. The contract's tests state them once more. */
export const PROMISED_RIGHTS: readonly PromisedRights[] = OPERATIONS.map(({ id, rights }) => ({
  operationId: id,
  scopes: rights.scopes,
  capabilities: rights.capabilities,
  forOwn: rights.forOwn,
  applications: rights.identitiesOnly !== true,
  identities: rights.applicationsOnly !== true,
}));

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
  const isOwn = targetId === identityId;
  if (identityId !== null && (rights.forOwn === 'NOTHING_FOR_ROWS' || (rights.forOwn === 'NOTHING' && isOwn)))
    return true;
  if (!rights.scopes.some((scope) => scopes.includes(scope))) return false;
  if (identityId === null) return rights.applications;
  if (!rights.identities) return false;
  if (rights.forOwn === 'SCOPE_ONLY' && isOwn) return true;
  return (
    rights.capabilities.length === 0 || rights.capabilities.some((capability) => capabilities.includes(capability))
  );
}
