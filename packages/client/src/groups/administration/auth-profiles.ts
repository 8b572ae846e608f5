import type { AuthProfile, AuthProfileSummary, authProfilePatch, SignInDryRun } from '@access-admin/contract';
import type { PatchOf } from '../../http/json-patch.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../../http/list.ts';
import { type DryRunOptions, getResource, patchResource, tryPatch, type WriteOptions } from '../../http/resource.ts';
import type { ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';

/** Authentication configurations of identity profiles. Experimental operations. */
export interface AuthProfiles {
  /** Iterates over all auth profiles, a page at a time (get-profile-config-list-v1). */
  list(options?: CallOptions): AsyncIterable<AuthProfileSummary>;
  /** Reads one page of the list. */
  page(options?: PageOptions): Promise<Page<AuthProfileSummary>>;
  /** Reads an auth profile by its id (get-profile-config-v1). */
  get(id: string, options?: CallOptions): ResourceCall<AuthProfile>;
  /**
   * Changes `type`, `offNetwork`, `untrustedGeography`, `applicationId` and `applicationName`, all operations or none
   * (patch-profile-config-v1). After an unknown outcome it is repeated only with `ifMatch`.
   */
  patch(id: string, operations: PatchOf<typeof authProfilePatch>, options?: WriteOptions): ResourceCall<AuthProfile>;
  /** Says what `patch` would do to sign-ins, without changing anything. */
  tryPatch(id: string, operations: PatchOf<typeof authProfilePatch>, options?: DryRunOptions): Promise<SignInDryRun>;
}

/** Builds the operations on auth profiles. */
export function createAuthProfiles(transport: Transport): AuthProfiles {
  const group = '/auth-profiles/v1';
  const at = (id: string) => ({ group, id, experimental: true });
  const page: AuthProfiles['page'] = (options) => readPage(transport, { path: group, experimental: true }, options);
  return {
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    get: (id, options) => getResource(transport, at(id), options),
    patch: (id, operations, options) => patchResource(transport, at(id), { operations, options }),
    tryPatch: (id, operations, options) => tryPatch(transport, at(id), { operations, options }),
  };
}
