import type { Branding, BrandingUpdate } from '@access-admin/contract';
import { jsonBody } from '../../http/json-body.ts';
import { ifMatchHeader, type WriteOptions } from '../../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';

/** How the pages of sign-in and the console present the tenant. */
export interface BrandingOperations {
  /** Reads the branding; null where nothing is set (get-tenant-branding-v1). */
  get(options?: CallOptions): ResourceCall<Branding>;
  /** Replaces the properties that are given; null resets one (set-tenant-branding-v1). */
  set(update: BrandingUpdate, options?: WriteOptions): ResourceCall<Branding>;
}

/** Builds the operations on the tenant's branding. */
export function createBranding(transport: Transport): BrandingOperations {
  const path = '/branding/v1/tenant';
  return {
    get: (options) => createResourceCall(transport.call({ path, method: 'GET', options })),
    set: (update, options) =>
      createResourceCall(
        transport.call({ path, method: 'PUT', headers: ifMatchHeader(options), body: jsonBody(update), options }),
      ),
  };
}
