import type {
  LockoutConfig,
  lockoutPatch,
  NetworkConfig,
  networkPatch,
  SessionConfig,
  SignInDryRun,
  sessionPatch,
} from '@access-admin/contract';
import { jsonBody } from '../../http/json-body.ts';
import type { JsonPatch, PatchOf } from '../../http/json-patch.ts';
import {
  type DryRunOptions,
  getResource,
  ifMatchHeader,
  patchResource,
  tryPatch,
  type WriteOptions,
} from '../../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';

/** A setting of the tenant that is read and patched. */
export interface TenantSetting<T, Patch extends JsonPatch> {
  /** Reads the setting; defaults where it is not set. */
  get(options?: CallOptions): ResourceCall<T>;
  /** Changes the setting. After an unknown outcome it is repeated only with `ifMatch`. */
  patch(operations: Patch, options?: WriteOptions): ResourceCall<T>;
}

/** From where identities sign in. */
export interface NetworkSetting extends TenantSetting<NetworkConfig, PatchOf<typeof networkPatch>> {
  /** Replaces all properties; those left out get their defaults (set-auth-org-network-config-v1). */
  set(config: Partial<NetworkConfig>, options?: WriteOptions): ResourceCall<NetworkConfig>;
  /** Says what `patch` would do to sign-ins, without changing anything. */
  tryPatch(operations: PatchOf<typeof networkPatch>, options?: DryRunOptions): Promise<SignInDryRun>;
}

/** The settings of the tenant for signing in. */
export interface AuthOrg {
  /** When failed attempts lock a user (get-auth-org-lockout-config-v1, patch-auth-org-lockout-config-v1). */
  readonly lockout: TenantSetting<LockoutConfig, PatchOf<typeof lockoutPatch>>;
  /** How long sessions last (get-auth-org-session-config-v1, patch-auth-org-session-config-v1). */
  readonly session: TenantSetting<SessionConfig, PatchOf<typeof sessionPatch>>;
  /** From where identities sign in (get-auth-org-network-config-v1, patch-auth-org-network-config-v1). */
  readonly network: NetworkSetting;
}

const GROUP = '/auth-org/v1';

/** Builds the operations on the settings for signing in. */
export function createAuthOrg(transport: Transport): AuthOrg {
  const setting = <T, Patch extends JsonPatch>(id: string): TenantSetting<T, Patch> => {
    const at = { group: GROUP, id, experimental: false };
    return {
      get: (options) => getResource(transport, at, options),
      patch: (operations, options) => patchResource(transport, at, { operations, options }),
    };
  };
  const network: NetworkSetting = {
    ...setting('network-config'),
    tryPatch: (operations, options) =>
      tryPatch(transport, { group: GROUP, id: 'network-config', experimental: false }, { operations, options }),
    set: (config, options) => {
      const body = jsonBody(config);
      const headers = ifMatchHeader(options);
      const call = {
        method: 'POST',
        path: `${GROUP}/network-config`,
        headers,
        body,
        repeatable: true,
        options,
      } as const;
      return createResourceCall(transport.call<NetworkConfig>(call));
    },
  };
  return { lockout: setting('lockout-config'), session: setting('session-config'), network };
}
