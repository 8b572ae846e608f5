import { RIGHTS_TO_READ } from '@access-admin/domain';
import { SOD_BODY_BYTES_MAX } from '../limits.ts';
import { tenantBranding, tenantBrandingUpdate } from '../schemas/branding.ts';
import { defineOperation, jsonBody, jsonResponse } from './define-operation.ts';

const group = 'Branding';

/** The operations on the branding of the tenant. */
export const BRANDING = {
  get: defineOperation({
    id: 'get-tenant-branding-v1',
    method: 'GET',
    path: '/branding/v1/tenant',
    group,
    summary: 'Branding of the tenant',
    description:
      'Returns how the pages of sign-in and the console present the tenant: its title, its logo and a text of help. Values that were never set are null.',
    rights: { ...RIGHTS_TO_READ.UI_METADATA, resource: 'BRANDING' },
    response: jsonResponse(tenantBranding),
    etag: true,
    onePerTenant: true,
  }),
  set: defineOperation({
    id: 'set-tenant-branding-v1',
    method: 'PUT',
    path: '/branding/v1/tenant',
    group,
    summary: 'Update the branding of the tenant',
    description:
      'Changes the title, the logo or the text of help. A property that is left out stays as it is; null resets it. Pages show a change within a second.',
    rights: { scopes: ['ui-metadata:manage'], capabilities: ['ORG_ADMIN'], resource: 'BRANDING' },
    body: jsonBody(tenantBrandingUpdate, SOD_BODY_BYTES_MAX),
    response: jsonResponse(tenantBranding),
    errors: [412],
    etag: true,
    onePerTenant: true,
  }),
} as const;
