import type { UiMetadata, UiMetadataUpdate } from '@access-admin/contract';
import { jsonBody } from '../../http/json-body.ts';
import { ifMatchHeader, type WriteOptions } from '../../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';

/** What the tenant's user interface shows. Experimental operations. */
export interface UiMetadataOperations {
  /** Reads the metadata; null where nothing is set (get-tenant-ui-metadata-v1). */
  get(options?: CallOptions): ResourceCall<UiMetadata>;
  /**
   * Replaces the properties that are given; null resets one (set-tenant-ui-metadata-v1). Up to 5 minutes can pass
   * before the UI shows it.
   */
  set(update: UiMetadataUpdate, options?: WriteOptions): ResourceCall<UiMetadata>;
}

/** Builds the operations on the tenant's UI metadata. */
export function createUiMetadata(transport: Transport): UiMetadataOperations {
  const tenant = { path: '/ui-metadata/v1/tenant', experimental: true };
  return {
    get: (options) => createResourceCall(transport.call({ ...tenant, method: 'GET', options })),
    set: (update, options) =>
      createResourceCall(
        transport.call({
          ...tenant,
          method: 'PUT',
          headers: ifMatchHeader(options),
          body: jsonBody(update),
          options,
        }),
      ),
  };
}
