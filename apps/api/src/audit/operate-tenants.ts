import { type AuditLogHead, fail, ok, type Result, refuseOwnTenant } from '@access-admin/domain';
import type { Store, StoredTenant, TenantMoveStore } from '@access-admin/store';
import { systemContext } from '../auth/client-secrets/bootstrap-client.ts';
import { createJsonSigner } from '../auth/sign-json.ts';
import { openSigningKeys, publicKeysOf } from '../auth/signing-keys.ts';
import { createHeadSigner, type SignHead } from './sign-head.ts';

interface OperatorDeps {
  /** The address whose key signs the end of the audit log. */
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly elapsed: () => number;
  readonly newTrackingId: () => string;
}

export interface TenantRemovalRequestDeps extends OperatorDeps {
  readonly store: Pick<Store, 'tenantRemovals' | 'signingKeys'>;
}

/** The tenant that an operator is to remove or to move, and the one in whose audit log that is recorded. */
export interface OperatedTenant {
  readonly tenant: string;
  readonly own: string;
}

/**
 * Has a tenant removed for the operator of the database, as the operation does for a caller of the tenant `own`, in whose
 * audit log it is recorded. Fails, with a text, for `own` itself, for an unknown tenant, and where no key signs for the address.
 */
export async function requestTenantRemoval(
  { store, ...deps }: TenantRemovalRequestDeps,
  { tenant, own }: OperatedTenant,
): Promise<Result<StoredTenant, string>> {
  const signer = await openOperator(store, deps, { tenant, own });
  if (!signer.ok) return signer;
  const begun = await store.tenantRemovals.begin(systemContext(deps, own, 'delete-tenant'), tenant, (head) =>
    signer.value(tenant, head),
  );
  return begun.ok ? begun : fail(noTenant(tenant));
}

export interface TenantMoveDeps extends OperatorDeps {
  /** The database that has the tenant. */
  readonly from: Pick<TenantMoveStore, 'give'> & Pick<Store, 'signingKeys' | 'tenants'>;
  readonly to: Pick<TenantMoveStore, 'take'> & Pick<Store, 'tenants'>;
}

/**
 * Moves a tenant with all that it has to another database for the operator of both. What keys of the first have signed, except
 * tokens, can be verified with the keys of the other afterwards. Recorded in the logs of the tenant `own` of both. Fails, with a
 * text, as `requestTenantRemoval` does, and where the other database cannot take the tenant in; then nothing has changed. A tenant
 * that is being removed from the first and is in the other has been moved before.
 */
export async function moveTenant(
  { from, to, ...deps }: TenantMoveDeps,
  { tenant, own }: OperatedTenant,
): Promise<Result<StoredTenant, string>> {
  const signer = await openOperator(from, deps, { tenant, own });
  if (!signer.ok) return signer;
  const auditContext = systemContext(deps, own, 'move-tenant');
  const keys = await publicKeysOf(from.signingKeys, deps.now);
  const sign = (head: AuditLogHead) => signer.value(tenant, head);
  const moved = await from.give({ auditContext, tenant, sign }, (rows) =>
    to.take({ auditContext, tenant, keys }, rows),
  );
  if (moved.ok) return moved;
  const left = await from.tenants.find(tenant);
  const there = await to.tenants.find(tenant);
  if (left !== null && left.removal !== null && there !== null && there.removal === null) return ok(left);
  switch (moved.failure) {
    case 'other tenant':
      return fail(`The other database has a tenant ${tenant} already, with other data.`);
    case 'taken id':
      return fail(`The other database has an application with the id of one of ${tenant}.`);
    default:
      return fail(noTenant(tenant));
  }
}

const noTenant = (tenant: string): string => `There is no tenant ${tenant}.`;

/** What signs the end of an audit log, with the key of the base address. */
async function openOperator(
  { signingKeys }: Pick<Store, 'signingKeys'>,
  { baseAddress, ...deps }: OperatorDeps,
  { tenant, own }: OperatedTenant,
): Promise<Result<SignHead, string>> {
  if (tenant === own)
    return fail(
      refuseOwnTenant(tenant)
        .causes.map(({ text }) => text)
        .join(),
    );
  if (!(await signingKeys.list()).some(({ issuer }) => issuer === baseAddress))
    return fail(`No key signs for ${baseAddress}: set BASE_ADDRESS as the API has it.`);
  // The key is there, so that none is made that the log would tell of.
  const log = { info: () => {} };
  const keys = await openSigningKeys({ store: signingKeys, log, ...deps }, baseAddress);
  return ok(createHeadSigner(createJsonSigner(keys)));
}
