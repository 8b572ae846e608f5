import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { tenantUiMetadata, tenantUiMetadataUpdate } from '../schemas/ui-metadata.ts';
import { answer, experimental, json, type Operation } from './definition.ts';

const group = 'UI Metadata';

/** The operations on the UI metadata of the tenant. */
export const UI_METADATA_OPERATIONS: readonly Operation[] = [
  {
    ...experimental,
    id: 'get-tenant-ui-metadata-v1',
    method: 'GET',
    path: '/ui-metadata/v1/tenant',
    group,
    summary: 'UI metadata of the tenant',
    answer: answer(tenantUiMetadata),
    etag: true,
  },
  {
    ...experimental,
    id: 'set-tenant-ui-metadata-v1',
    method: 'PUT',
    path: '/ui-metadata/v1/tenant',
    group,
    summary: 'Update the UI metadata of the tenant',
    body: json(tenantUiMetadataUpdate, SMALL_BODY_BYTES_MAX),
    answer: answer(tenantUiMetadata),
    etag: true,
    refusals: [412],
  },
];
