import type { AuthUser, authUserPatch, Capability, Credentials, SignInLink } from '@access-admin/contract';
import { jsonBody } from '../../http/json-body.ts';
import type { PatchOf } from '../../http/json-patch.ts';
import { getResource, patchResource, type WriteOptions } from '../../http/resource.ts';
import type { ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';
import { resourcePath } from '../../http/url.ts';

/** Auth users by identity id. */
export interface AuthUsers {
  /** Reads an auth user (get-auth-user-v1). */
  get(id: string, options?: CallOptions): ResourceCall<AuthUser>;
  /**
   * Changes `capabilities`, all operations or none (patch-auth-user-v1). After an unknown outcome it is repeated only
   * with `ifMatch`. A `ConflictError` protects the tenant's last `ORG_ADMIN`.
   */
  patch(id: string, operations: PatchOf<typeof authUserPatch>, options?: WriteOptions): ResourceCall<AuthUser>;
  /** Replaces the capabilities: a patch of one operation. */
  setCapabilities(id: string, capabilities: readonly Capability[], options?: WriteOptions): ResourceCall<AuthUser>;
  /**
   * Makes a link with which the auth user sets a password or a passkey, once, within so many hours: 24 if left out
   * (create-sign-in-link-v1). Never repeated after an unknown outcome.
   */
  createSignInLink(id: string, options?: CallOptions & { readonly hours?: number | undefined }): Promise<SignInLink>;
  /** Reads what the auth user signs in with, without secrets, and whether it is locked (get-credentials-v1). */
  credentials(id: string, options?: CallOptions): Promise<Credentials>;
  /**
   * Removes one credential, `password`, `totp`, `recovery-codes` or the id of a passkey, and ends the sessions
   * (remove-credential-v1). A `ConflictError` protects the last `ORG_ADMIN` that can sign in.
   */
  removeCredential(id: string, credentialId: string, options?: CallOptions): Promise<void>;
  /** Ends the lock after failed attempts, which it forgets (unlock-auth-user-v1). */
  unlock(id: string, options?: CallOptions): Promise<void>;
  /**
   * Removes everything that the auth user signs in with, and ends its sessions (remove-credentials-v1). A `ConflictError`
   * protects the last `ORG_ADMIN` that can sign in.
   */
  removeCredentials(id: string, options?: CallOptions): Promise<void>;
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
    async createSignInLink(id, options) {
      const body = jsonBody({ hours: options?.hours });
      const path = `${resourcePath('/auth-users/v1', id)}/sign-in-link`;
      return (await transport.call<SignInLink>({ method: 'POST', path, body, options })).value;
    },
    credentials: async (id, options) => {
      const path = `${resourcePath('/auth-users/v1', id)}/credentials`;
      return (await transport.call<Credentials>({ method: 'GET', path, options })).value;
    },
    async removeCredential(id, credentialId, options) {
      const path = resourcePath(`${resourcePath('/auth-users/v1', id)}/credentials`, credentialId);
      await transport.remove({ path, options });
    },
    async unlock(id, options) {
      await transport.remove({ path: `${resourcePath('/auth-users/v1', id)}/lock`, options });
    },
    async removeCredentials(id, options) {
      await transport.remove({ path: `${resourcePath('/auth-users/v1', id)}/credentials`, options });
    },
  };
}
