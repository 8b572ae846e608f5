import { type Conflict, type Failure, failure } from '../basics/result/failure.ts';
import type { Caller } from './authorization.ts';

/** A removal of a tenant that a caller asks for. */
export interface TenantRemovalRequest {
  readonly tenant: string;
  /** The name that the caller has repeated; null for none. */
  readonly confirmation: string | null;
  /** The operator's tenant, which cannot be removed. */
  readonly operatorTenant: string;
}

/** Where a fault of the confirmation is. */
export const TENANT_CONFIRMATION = 'X-Confirm-Tenant';

/**
 * Whether a caller may have a tenant removed: it must repeat the name (`RequiredMissing`, `IllegalValue`), and the tenant is
 * neither its own nor the operator's (`Conflict`). Null when it may.
 */
export function validateTenantRemoval(
  { tenant, confirmation, operatorTenant }: TenantRemovalRequest,
  caller: Pick<Caller, 'tenant'>,
): Failure | null {
  if (confirmation === null)
    return failure('RequiredMissing', TENANT_CONFIRMATION, `must be the name of the tenant, ${tenant}`);
  if (confirmation !== tenant)
    return failure('IllegalValue', TENANT_CONFIRMATION, `must be the name of the tenant, ${tenant}`);
  if (tenant === caller.tenant) return refuseOwnTenant(tenant);
  return tenant === operatorTenant
    ? failure('Conflict', '', `${tenant} is the tenant of the service itself, as TENANT says: it cannot be removed`)
    : null;
}

/** The refusal to remove the tenant that asks for it. */
export const refuseOwnTenant = (tenant: string): Conflict =>
  failure('Conflict', '', `${tenant} is the tenant of the caller: a caller of another tenant can remove it`);
