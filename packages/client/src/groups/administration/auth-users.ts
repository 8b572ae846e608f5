import type { AuthUser, Capability } from '@access-admin/contract';
import type { JsonPatchOperation } from '../../http/json-patch.ts';
import { getResource, patchResource, type WriteOptions } from '../../http/resource.ts';
import type { ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';

/** Auth users by identity id. */
export interface AuthUsers {
  /** Reads an auth user (get-auth-user-v1). */
  get(id: string, options?: CallOptions): ResourceCall<AuthUser>;
  /**
   * Changes `capabilities`, all operations or none (patch-auth-user-v1). After an unknown outcome it is repeated only
   * with `ifMatch`. A `ConflictError` protects the tenant's last `ORG_ADMIN`.
   */
  patch(id: string, operations: readonly JsonPatchOperation[], options?: WriteOptions): ResourceCall<AuthUser>;
  /** Replaces the capabilities: a patch of one operation. */
  setCapabilities(id: string, capabilities: readonly Capability[], options?: WriteOptions): ResourceCall<AuthUser>;
}

/** Builds the operations on auth users. */
export function createAuthUsers(transport: Transport): AuthUsers {
  const at = (id: string) => ({ group: '/auth-users/v1', id, experimental: false });
  const patch: AuthUsers['patch'] = (id, operations, options) =>
    patchResource(transport, at(id), { operations, options });
  return {
    get: (id, options) => getResource(transport, at(id), options),
    patch,
    setCapabilities: (id, capabilities, options) =>
      patch(id, [{ op: 'replace', path: '/capabilities', value: capabilities }], options),
  };
}
