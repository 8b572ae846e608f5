import {
  type AuthProfile,
  type Caller,
  type Failure,
  fail,
  failure,
  type Patch,
  patchAuthProfile,
  type Result,
  validateVerificationChange,
} from '@access-admin/domain';
import type { AuthProfileStore, AuthProfileView, SignInSettingsStore } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import { answerList, withEtag } from '../../operations/answers.ts';
import {
  auditContextOfRequest,
  type OperationHandlers,
  type OperationRequest,
  type OperationResult,
} from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { ifMatch } from '../answers/resource.ts';
import type { AnswerDryRun } from '../sign-in-settings/dry-run.ts';

export interface AuthProfileParts {
  readonly authProfiles: AuthProfileStore;
  readonly settings: Pick<SignInSettingsStore, 'readLatest'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
  readonly answerDryRun: AnswerDryRun;
}

export function authProfileHandlers(parts: AuthProfileParts) {
  const { authProfiles, settings, baseAddress, now, guardOf, answerDryRun } = parts;

  /** Answers what a patch would do, under the conditions that it would be refused for. */
  const tryPatch = async (
    request: OperationRequest<'patch-profile-config-v1'>,
  ): Promise<Result<OperationResult, ApiFailure>> => {
    const { caller, params, query, body } = request;
    const view = await authProfiles.findView(caller.tenant, params.id, caller.identityId);
    if (view === null) return NO_PROFILE;
    const met = ifMatch(request.c)(view.profile);
    if (!met.ok) return met;
    const patched = patchAuthProfile(view.profile, body);
    if (!patched.ok) return patched;
    const after = patched.value;
    const { network } = await settings.readLatest(caller.tenant);
    return answerDryRun(request, {
      profileId: after.id,
      profileAfter: (each) => (each.id === after.id ? after : each),
      isForbidden: forbiddenChange(view, after, caller) !== null,
      network: { before: network, after: network },
      origin: query,
    });
  };

  return {
    'get-profile-config-list-v1': (request) => {
      const { tenant } = request.caller;
      return answerList(request, baseAddress, {
        list: (page) => authProfiles.list(tenant, page),
        count: () => authProfiles.count(tenant),
      });
    },

    'get-profile-config-v1': async ({ caller, params }) => {
      const profile = await authProfiles.find(caller.tenant, params.id);
      return profile === null ? NO_PROFILE : withEtag(profile);
    },

    'patch-profile-config-v1': async (request) => {
      const { caller, params, query, body } = request;
      if (query.dryRun) return tryPatch(request);
      const changed = await authProfiles.change(auditContextOfRequest(request, now()), params.id, {
        precondition: ifMatch(request.c),
        decide: (profile, members) => decidePatch({ profile, members }, body, caller),
        guard: guardOf(request),
      });
      return changed.ok ? withEtag(changed.value) : changed;
    },
  } satisfies Partial<OperationHandlers>;
}

function decidePatch(view: AuthProfileView, patch: Patch, caller: Caller): Result<AuthProfile, Failure> {
  const patched = patchAuthProfile(view.profile, patch);
  const forbidden = patched.ok ? forbiddenChange(view, patched.value, caller) : null;
  return forbidden === null ? patched : fail(forbidden);
}

const forbiddenChange = ({ profile: before, members }: AuthProfileView, after: AuthProfile, caller: Caller) =>
  validateVerificationChange({ before, after, members, caller, at: (property) => property });

const NO_PROFILE = fail(failure('NotFound', '', 'There is no such auth profile.'));
