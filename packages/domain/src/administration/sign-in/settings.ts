import { equalJson } from '../../basics/json-patch/value.ts';
import { keysOf } from '../../basics/objects/keys-of.ts';
import type { AuditedResource } from '../authorization.ts';
import { DEFAULT_LOCKOUT_CONFIG, type LockoutConfig } from './lockout-config.ts';
import { DEFAULT_NETWORK_CONFIG, type NetworkConfig } from './network-config.ts';
import { DEFAULT_SESSION_CONFIG, type SessionConfig } from './session-config.ts';

/** The settings of a tenant for signing in, each of which is a resource of its own. */
export interface SignInSettings {
  readonly lockout: LockoutConfig;
  readonly session: SessionConfig;
  readonly network: NetworkConfig;
}

/** The settings of a tenant that has set none. */
export const DEFAULT_SIGN_IN_SETTINGS: SignInSettings = {
  lockout: DEFAULT_LOCKOUT_CONFIG,
  session: DEFAULT_SESSION_CONFIG,
  network: DEFAULT_NETWORK_CONFIG,
};

/** The settings whose values differ from those of a tenant that has set none. */
export function configuredSettings(settings: SignInSettings): Partial<SignInSettings> {
  const configured = keysOf(DEFAULT_SIGN_IN_SETTINGS).filter(
    (name) => !equalJson(settings[name], DEFAULT_SIGN_IN_SETTINGS[name]),
  );
  return Object.fromEntries(configured.map((name) => [name, settings[name]]));
}

/** The kinds of the settings in the audit log. */
export const SIGN_IN_SETTING_RESOURCES = {
  lockout: 'LOCKOUT_CONFIG',
  session: 'SESSION_CONFIG',
  network: 'NETWORK_CONFIG',
} as const satisfies Record<keyof SignInSettings, AuditedResource>;
