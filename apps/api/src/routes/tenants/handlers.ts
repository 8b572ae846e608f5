import type { Tenant } from '@access-admin/contract';
import { fail, failure, ok, TENANT_CONFIRMATION, validateTenantRemoval } from '@access-admin/domain';
import type { StoredTenant, TenantRemovalStore, TenantStore } from '@access-admin/store';
import type { SignHead } from '../../audit/sign-head.ts';
import { answerList } from '../../operations/answers.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';

export interface TenantParts {
  readonly tenants: Pick<TenantStore, 'find' | 'list' | 'count'>;
  readonly removals: Pick<TenantRemovalStore, 'begin'>;
  readonly signHead: SignHead;
  readonly baseAddress: string;
  /** The operator's tenant. */
  readonly operatorTenant: string;
  readonly now: () => Date;
}

export function tenantHandlers({ tenants, removals, signHead, baseAddress, operatorTenant, now }: TenantParts) {
  return {
    'list-tenants-v1': (request) =>
      answerList(request, baseAddress, {
        list: async (page) => (await tenants.list(page)).map(showTenant),
        count: () => tenants.count(),
      }),

    'get-tenant-v1': async ({ params }) => {
      const found = await tenants.find(params.tenant);
      return found === null ? fail(NO_TENANT) : ok({ json: showTenant(found) });
    },

    'delete-tenant-v1': async (request) => {
      const { c, caller, params } = request;
      const { tenant } = params;
      const confirmation = c.req.header(TENANT_CONFIRMATION) ?? null;
      const fault = validateTenantRemoval({ tenant, confirmation, operatorTenant }, caller);
      if (fault !== null) return fail(fault);
      const begun = await removals.begin(auditContextOfRequest(request, now()), tenant, (head) =>
        signHead(tenant, head),
      );
      if (!begun.ok) return begun;
      return ok({ json: showTenant(begun.value), headers: { location: `/tenants/v1/${tenant}` } });
    },
  } satisfies Partial<OperationHandlers>;
}

const NO_TENANT = failure('NotFound', '', 'There is no such tenant.');

const showTenant = ({ tenant, created, removal }: StoredTenant): Tenant => ({
  tenant,
  created,
  state: removal === null ? 'ACTIVE' : 'REMOVING',
  removal: removal === null ? null : { requested: removal.requested, removedRows: removal.removed },
});
