import {
  type Failure,
  type Patch,
  parseLockoutConfigPatch,
  parseNetworkConfig,
  parseNetworkConfigPatch,
  parseSessionConfigPatch,
  patchLockoutConfig,
  patchNetworkConfig,
  patchSessionConfig,
  type Result,
  type SignInSettings,
} from '@access-admin/domain';
import type { SignInSettingsStore, Store } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import {
  auditContextOfRequest,
  type OperationHandler,
  type OperationHandlers,
  type OperationRequest,
  type OperationResult,
} from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';
import { answerDryRun, type DryRunDeps, type DryRunOrigin, NO_PROFILE_CHANGE, parseDryRun } from './dry-run.ts';

export interface AuthOrgDeps extends DryRunDeps {
  readonly store: Pick<Store, 'signInSettings' | 'signInPopulation'>;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

export function authOrgHandlers(deps: AuthOrgDeps) {
  const { now, guardOf } = deps;
  const settings = deps.store.signInSettings;
  const patchNetwork = changeSetting({ settings, now, guardOf, ...NETWORK });
  return {
    'get-auth-org-lockout-config-v1': readSetting(settings, 'lockout'),
    'get-auth-org-session-config-v1': readSetting(settings, 'session'),
    'get-auth-org-network-config-v1': readSetting(settings, 'network'),
    'patch-auth-org-lockout-config-v1': changeSetting({ settings, now, guardOf, ...LOCKOUT }),
    'patch-auth-org-session-config-v1': changeSetting({ settings, now, guardOf, ...SESSION }),
    'patch-auth-org-network-config-v1': patchOrTryNetwork(patchNetwork, deps),
    'set-auth-org-network-config-v1': setNetworkConfig({ settings, now, guardOf }),
  } satisfies Partial<OperationHandlers>;
}

const LOCKOUT = { name: 'lockout', parse: parseLockoutConfigPatch, apply: patchLockoutConfig } as const;
const SESSION = { name: 'session', parse: parseSessionConfigPatch, apply: patchSessionConfig } as const;
const NETWORK = { name: 'network', parse: parseNetworkConfigPatch, apply: patchNetworkConfig } as const;

const readSetting =
  (settings: SignInSettingsStore, name: keyof SignInSettings): OperationHandler =>
  async ({ caller: { tenant } }) =>
    withEtag((await settings.readLatest(tenant))[name]);

interface ChangeDeps<K extends keyof SignInSettings> {
  readonly settings: SignInSettingsStore;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
  readonly name: K;
  readonly parse: (body: unknown) => Result<Patch, Failure>;
  readonly apply: (before: SignInSettings[K], patch: Patch) => Result<SignInSettings[K], Failure>;
}

function changeSetting<K extends keyof SignInSettings>(deps: ChangeDeps<K>): OperationHandler {
  const { settings, now, guardOf, name, parse, apply } = deps;
  return async (request) => {
    const patch = parse(request.body);
    if (!patch.ok) return patch;
    const changed = await settings.change<K, Failure, ApiFailure>(auditContextOfRequest(request, now()), name, {
      precondition: ifMatch(request),
      decide: (before) => apply(before, patch.value),
      guard: guardOf(request),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };
}

/** patch-auth-org-network-config-v1 */
const patchOrTryNetwork =
  (patchNetwork: OperationHandler, deps: AuthOrgDeps): OperationHandler =>
  (request) => {
    const origin = parseDryRun(request);
    if (!origin.ok) return origin;
    return origin.value === null ? patchNetwork(request) : tryNetwork(request, deps, origin.value);
  };

async function tryNetwork(
  request: OperationRequest,
  deps: AuthOrgDeps,
  origin: DryRunOrigin,
): Promise<Result<OperationResult, ApiFailure>> {
  const patch = parseNetworkConfigPatch(request.body);
  if (!patch.ok) return patch;
  const { network: before } = await deps.store.signInSettings.readLatest(request.caller.tenant);
  const met = ifMatch(request)(before);
  if (!met.ok) return met;
  const after = patchNetworkConfig(before, patch.value);
  if (!after.ok) return after;
  return answerDryRun(request, deps, { ...NO_PROFILE_CHANGE, network: { before, after: after.value }, origin });
}

/** set-auth-org-network-config-v1 */
const setNetworkConfig =
  ({ settings, now, guardOf }: Pick<ChangeDeps<'network'>, 'settings' | 'now' | 'guardOf'>): OperationHandler =>
  async (request) => {
    const config = parseNetworkConfig(request.body);
    if (!config.ok) return config;
    const changed = await settings.change<'network', Failure, ApiFailure>(
      auditContextOfRequest(request, now()),
      'network',
      {
        precondition: ifMatch(request),
        decide: () => config,
        guard: guardOf(request),
      },
    );
    return changed.ok ? withEtag(changed.value) : changed;
  };
