import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import { tenantUiMetadata, tenantUiMetadataUpdate } from '../../schemas/administration/ui-metadata.ts';
import { experimentalDefaults, jsonBody, jsonResponse, type Operation } from '../definition.ts';

const group = 'UI Metadata';

/** The operations on the UI metadata of the tenant. */
export const UI_METADATA_OPERATIONS: readonly Operation[] = [
  {
    ...experimentalDefaults,
    id: 'get-tenant-ui-metadata-v1',
    method: 'GET',
    path: '/ui-metadata/v1/tenant',
    group,
    summary: 'UI metadata of the tenant',
    response: jsonResponse(tenantUiMetadata),
    etag: true,
  },
  {
    ...experimentalDefaults,
    id: 'set-tenant-ui-metadata-v1',
    method: 'PUT',
    path: '/ui-metadata/v1/tenant',
    group,
    summary: 'Update the UI metadata of the tenant',
    body: jsonBody(tenantUiMetadataUpdate, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(tenantUiMetadata),
    etag: true,
    errorStatuses: [412],
  },
];
