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
import { findApplication, type SignInApplication } from './applications.ts';
import type { SignInOrigin } from './origin.ts';

export interface DeciderDeps {
  readonly store: Pick<Store, 'signInSettings' | 'signInFailures'>;
  readonly applications: readonly SignInApplication[];
}

/** A sign-in that is decided on. */
export interface SignInQuestion {
  readonly tenant: string;
  readonly identity: Pick<SignInIdentity, 'id' | 'authProfile'>;
  readonly origin: SignInOrigin;
  readonly nowMs: number;
  /** The instant that a what-if concerns; null for a sign-in, which happens now. */
  readonly atMs: number | null;
}

/** Decides on a sign-in with the settings of now. */
export type DecideSignIn = (question: SignInQuestion) => Promise<SignInDecision>;

/** Decides on sign-ins, for the pages and for the operation that asks without signing in. */
export function createDecider({ store: { signInSettings, signInFailures }, applications }: DeciderDeps): DecideSignIn {
  const networks = new WeakMap<NetworkConfig, CompiledNetwork>();
  // Settings stay in memory as one object: its ranges are parsed once.
  const compile = (config: NetworkConfig) => {
    const compiled = networks.get(config) ?? compileNetwork(config);
    networks.set(config, compiled);
    return compiled;
  };
  return async ({ tenant, identity: { id, authProfile }, origin, nowMs, atMs }) => {
    const settings = await signInSettings.read(tenant);
    const address = limitedAddress(origin.address);
    const locks = await signInFailures.readLocks(tenant, { identityId: id, address, nowMs: atMs ?? nowMs });
    // A sign-in does not ask when a lock began: the process that made it may have a clock that is ahead.
    const holds = (lock: SignInLock | null) => lock !== null && (atMs === null || holdsAt(lock, atMs));
    return decideSignIn({
      authProfile,
      lockedOut: holds(locks.user) || holds(locks.address),
      ...origin,
      network: compile(settings.network),
      applicationKnown: findApplication(applications, tenant, authProfile?.applicationId ?? null) !== null,
    });
  };
}
