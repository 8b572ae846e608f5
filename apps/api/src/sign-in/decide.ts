import {
  type CompiledNetwork,
  compileNetwork,
  decideSignIn,
  holdsAt,
  type NetworkConfig,
  type SignInDecision,
  type SignInLock,
} from '@access-admin/domain';
import type { SignInIdentity, Store } from '@access-admin/store';
import { limitedAddress } from '../http/client-address.ts';
import { findApplication, type SignInApplication } from './factors/applications.ts';
import type { SignInOrigin } from './origin.ts';

interface DecideDeps {
  readonly store: Pick<Store, 'signInSettings' | 'signInFailures'>;
  readonly applications: readonly SignInApplication[];
  readonly now: () => Date;
}

/** From where someone signs in, to which tenant. */
export interface SignInSource extends SignInOrigin {
  readonly tenant: string;
  /** The instant that a what-if concerns; left out for a sign-in, which happens now. */
  readonly atMs?: number | null;
}

/**
 * Decides whether and how an identity may sign in, with the settings and the locks as they are now: for the pages, and for the
 * operation that asks without signing in.
 */
export type Decide = (
  identity: Pick<SignInIdentity, 'id' | 'active' | 'authProfile'>,
  source: SignInSource,
) => Promise<SignInDecision>;

export function createDecide({ store: { signInSettings, signInFailures }, applications, now }: DecideDeps): Decide {
  const networks = new WeakMap<NetworkConfig, CompiledNetwork>();
  // Settings stay in memory as one object: its ranges are parsed once.
  const compile = (config: NetworkConfig) => {
    const compiled = networks.get(config) ?? compileNetwork(config);
    networks.set(config, compiled);
    return compiled;
  };
  return async ({ id, active, authProfile }, { tenant, address: from, country, atMs = null }) => {
    const settings = await signInSettings.read(tenant);
    const address = limitedAddress(from);
    const locks = await signInFailures.readLocks(tenant, { identityId: id, address, nowMs: atMs ?? now().getTime() });
    // A sign-in does not ask when a lock began: the process that made it may have a clock that is ahead.
    const holds = (lock: SignInLock | null) => lock !== null && (atMs === null || holdsAt(lock, atMs));
    return decideSignIn({
      active,
      authProfile,
      lockedOut: holds(locks.user) || holds(locks.address),
      address: from,
      country,
      network: compile(settings.network),
      applicationKnown: findApplication(applications, tenant, authProfile?.applicationId ?? null) !== null,
    });
  };
}
