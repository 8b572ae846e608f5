import { MANAGE_TENANTS, TENANT_CONFIRMATION } from '@access-admin/domain';
import { tenant, tenants } from '../schemas/tenants.ts';
import { defineOperation, jsonResponse } from './define-operation.ts';
import { pathId } from './path-parameters.ts';

const group = 'Tenants';

const TENANT = { tenant: pathId('The name of the tenant.') };

/** The operations on tenants, for applications alone. A tenant is made with its first client. */
export const TENANTS = {
  list: defineOperation({
    id: 'list-tenants-v1',
    method: 'GET',
    path: '/tenants/v1',
    group,
    summary: 'List of tenants',
    description: 'Lists the tenants of the service by name, those that are being removed too.',
    rights: MANAGE_TENANTS,
    list: true,
    response: jsonResponse(tenants),
  }),
  get: defineOperation({
    id: 'get-tenant-v1',
    method: 'GET',
    path: '/tenants/v1/{tenant}',
    params: TENANT,
    group,
    summary: 'One tenant, or how far its removal is',
    description:
      'Returns one tenant. While it is being removed, `removal` tells how far that is; once nothing is left of it, the answer is 404 and its name is free.',
    rights: MANAGE_TENANTS,
    response: jsonResponse(tenant),
    errors: [404],
  }),
  delete: defineOperation({
    id: 'delete-tenant-v1',
    method: 'DELETE',
    path: '/tenants/v1/{tenant}',
    params: TENANT,
    group,
    summary: 'Remove a tenant with all that it has; this cannot be undone',
    description:
      'Has a tenant removed with everything in it, its audit log too. From the answer on its tokens, sessions and clients are refused (401) and its name is taken (409), until workers have removed all of it. The signed end of its audit log is recorded in the log of the caller’s tenant. A caller cannot remove its own tenant, nor that of the service itself, which `TENANT` names (409). For 400 days, tokens of an external issuer that name the tenant stay refused (401), also where it is made again. Repeating the request has no further effect.',
    rights: MANAGE_TENANTS,
    confirmation: TENANT_CONFIRMATION,
    response: jsonResponse(tenant, 202),
    errors: [400, 404, 409],
  }),
} as const;
