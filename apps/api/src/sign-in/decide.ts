import {
  type CompiledNetwork,
  compileNetwork,
  decideSignIn,
  type NetworkConfig,
  type SignInDecision,
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
  return async ({ tenant, identity: { id, authProfile }, origin, nowMs }) => {
    const settings = await signInSettings.read(tenant);
    const address = limitedAddress(origin.address);
    const locks = await signInFailures.readLocks(tenant, { identityId: id, address, nowMs });
    return decideSignIn({
      authProfile,
      lockedOut: locks.isUserLocked || locks.isAddressLocked,
      ...origin,
      network: compile(settings.network),
      applicationKnown: findApplication(applications, tenant, authProfile?.applicationId ?? null) !== null,
    });
  };
}
