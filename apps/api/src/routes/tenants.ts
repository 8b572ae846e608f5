import { TENANTS, type Tenant } from '@access-admin/contract';
import { fail, failure, TENANT_CONFIRMATION, validateTenantRemoval } from '@access-admin/domain';
import type { StoredTenant } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { answerList } from './answers/list.ts';

/** Tenants, for the operator. */
export const tenants = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(TENANTS.list, (c, { query }) => {
        const { tenants } = c.env.services.store;
        return answerList(c, query.page, {
          list: async (page) => (await tenants.list(page)).map(showTenant),
          count: () => tenants.count(),
        });
      }),
    )
    .on(
      ...route(TENANTS.get, async (c, { params }) => {
        const found = await c.env.services.store.tenants.find(params.tenant);
        return found === null ? fail(NO_TENANT) : c.json(showTenant(found));
      }),
    )
    .on(
      ...route(TENANTS.delete, async (c, { caller, params: { tenant } }) => {
        const { store, config, signHead } = c.env.services;
        const confirmation = c.req.header(TENANT_CONFIRMATION) ?? null;
        const fault = validateTenantRemoval({ tenant, confirmation, operatorTenant: config.tenant }, caller);
        if (fault !== null) return fail(fault);
        const begun = await store.tenantRemovals.begin(auditContext(c), tenant, (head) => signHead(tenant, head));
        return begun.ok ? c.json(showTenant(begun.value), 202, { location: `/tenants/v1/${tenant}` }) : begun;
      }),
    );

const NO_TENANT = failure('NotFound', '', 'There is no such tenant.');

const showTenant = ({ tenant, created, removal }: StoredTenant): Tenant => ({
  tenant,
  created,
  state: removal === null ? 'ACTIVE' : 'REMOVING',
  removal: removal === null ? null : { requested: removal.requested, removedRows: removal.removed },
});
