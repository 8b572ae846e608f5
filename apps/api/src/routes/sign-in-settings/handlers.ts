import {
  type Failure,
  ok,
  patchLockoutConfig,
  patchNetworkConfig,
  patchSessionConfig,
  type Result,
  type SignInSettings,
} from '@access-admin/domain';
import type { SignInSettingsStore } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import { withEtag } from '../../operations/answers.ts';
import {
  auditContextOfRequest,
  type CheckedRequest,
  type OperationHandlers,
  type OperationRequest,
  type OperationResult,
} from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { ifMatch } from '../answers/resource.ts';
import { answerDryRun } from './dry-run.ts';

export interface AuthOrgParts {
  readonly settings: SignInSettingsStore;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

export function signInSettingHandlers({ settings, now, guardOf }: AuthOrgParts) {
  const read = async ({ caller }: CheckedRequest, name: keyof SignInSettings) =>
    withEtag((await settings.readLatest(caller.tenant))[name]);

  const change = async <K extends keyof SignInSettings>(
    request: CheckedRequest,
    name: K,
    decide: (before: SignInSettings[K]) => Result<SignInSettings[K], Failure>,
  ): Promise<Result<OperationResult, ApiFailure>> => {
    const changed = await settings.change<K, Failure, ApiFailure>(auditContextOfRequest(request, now()), name, {
      precondition: ifMatch(request.c),
      decide,
      guard: guardOf(request),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };

  /** Answers what a patch would do, under the conditions that it would be refused for. */
  const tryNetworkPatch = async (
    request: OperationRequest<'patch-auth-org-network-config-v1'>,
  ): Promise<Result<OperationResult, ApiFailure>> => {
    const { network: before } = await settings.readLatest(request.caller.tenant);
    const met = ifMatch(request.c)(before);
    if (!met.ok) return met;
    const after = patchNetworkConfig(before, request.body);
    if (!after.ok) return after;
    const response = await answerDryRun(request.c, {
      profileId: null,
      isForbidden: false,
      profileAfter: (profile) => profile,
      network: { before, after: after.value },
      origin: request.query,
    });
    return ok({ response });
  };

  return {
    'get-auth-org-lockout-config-v1': (request) => read(request, 'lockout'),
    'patch-auth-org-lockout-config-v1': (request) =>
      change(request, 'lockout', (before) => patchLockoutConfig(before, request.body)),

    'get-auth-org-session-config-v1': (request) => read(request, 'session'),
    'patch-auth-org-session-config-v1': (request) =>
      change(request, 'session', (before) => patchSessionConfig(before, request.body)),

    'get-auth-org-network-config-v1': (request) => read(request, 'network'),
    'set-auth-org-network-config-v1': (request) => change(request, 'network', () => ok(request.body)),
    'patch-auth-org-network-config-v1': (request) =>
      request.query.dryRun
        ? tryNetworkPatch(request)
        : change(request, 'network', (before) => patchNetworkConfig(before, request.body)),
  } satisfies Partial<OperationHandlers>;
}
