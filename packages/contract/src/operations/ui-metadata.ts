import { RIGHTS_TO_READ } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { tenantUiMetadata, tenantUiMetadataUpdate } from '../schemas/ui-metadata.ts';
import { defineOperation, jsonBody, jsonResponse } from './define-operation.ts';

const group = 'UI Metadata';

/** The operations on the UI metadata of the tenant. */
export const UI_METADATA = {
  get: defineOperation({
    id: 'get-tenant-ui-metadata-v1',
    method: 'GET',
    path: '/ui-metadata/v1/tenant',
    group,
    summary: 'UI metadata of the tenant',
    description:
      'Returns settings of the user interface: who may embed it, and the label and placeholder of the field for the user name. Values that were never set are null.',
    rights: RIGHTS_TO_READ.UI_METADATA,
    experimental: true,
    response: jsonResponse(tenantUiMetadata),
    etag: true,
    onePerTenant: true,
  }),
  set: defineOperation({
    id: 'set-tenant-ui-metadata-v1',
    method: 'PUT',
    path: '/ui-metadata/v1/tenant',
    group,
    summary: 'Update the UI metadata of the tenant',
    description:
      'Changes settings of the user interface. A property that is left out stays as it is; null resets it. It can take up to 5 minutes until the user interface shows a change.',
    rights: { scopes: ['ui-metadata:manage'], capabilities: ['ORG_ADMIN'], resource: 'UI_METADATA' },
    experimental: true,
    body: jsonBody(tenantUiMetadataUpdate, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(tenantUiMetadata),
    errors: [412],
    etag: true,
    onePerTenant: true,
  }),
} as const;
