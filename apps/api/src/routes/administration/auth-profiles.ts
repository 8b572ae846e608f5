import {
  type AuthProfile,
  type Caller,
  type Failure,
  fail,
  failure,
  type Patch,
  parseAuthProfilePatch,
  patchAuthProfile,
  type Result,
  validateVerificationChange,
} from '@access-admin/domain';
import type { AuthProfileStore, AuthProfileView, Store } from '@access-admin/store';
import type { ApiFailure } from '../../operations/problem.ts';
import {
  auditContextOfRequest,
  type OperationHandler,
  type OperationHandlers,
  type OperationRequest,
  type OperationResult,
} from '../../operations/request.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { answerList } from '../answers/list.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';
import { answerDryRun, type DryRunDeps, type DryRunOrigin, parseDryRun, profileChange } from './dry-run.ts';

export interface AuthProfileDeps extends DryRunDeps {
  readonly store: Pick<Store, 'authProfiles' | 'signInSettings' | 'signInPopulation'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

export const authProfileHandlers = (deps: AuthProfileDeps) =>
  ({
    'get-profile-config-list-v1': listAuthProfiles(deps.store.authProfiles, deps.baseAddress),
    'get-profile-config-v1': getAuthProfile(deps.store.authProfiles),
    'patch-profile-config-v1': patchAuthProfileRoute(deps),
  }) satisfies Partial<OperationHandlers>;

/** get-profile-config-list-v1 */
const listAuthProfiles =
  (authProfiles: AuthProfileStore, baseAddress: string): OperationHandler =>
  (request) => {
    const { tenant } = request.caller;
    return answerList(request, baseAddress, {
      list: (page) => authProfiles.list(tenant, page),
      count: () => authProfiles.count(tenant),
    });
  };

const NO_PROFILE = fail(failure('NotFound', '', 'There is no such auth profile.'));

/** get-profile-config-v1 */
const getAuthProfile =
  (authProfiles: AuthProfileStore): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const profile = await authProfiles.find(caller.tenant, id);
    return profile === null ? NO_PROFILE : withEtag(profile);
  };

/** patch-profile-config-v1 */
const patchAuthProfileRoute =
  (deps: AuthProfileDeps): OperationHandler =>
  async (request) => {
    const { params, body } = request;
    const patch = parseAuthProfilePatch(body);
    if (!patch.ok) return patch;
    const origin = parseDryRun(request);
    if (!origin.ok) return origin;
    if (origin.value !== null) return tryPatch(request, deps, { patch: patch.value, origin: origin.value });
    const changed = await deps.store.authProfiles.change(
      auditContextOfRequest(request, deps.now()),
      params['id'] ?? '',
      {
        precondition: ifMatch(request),
        decide: (profile, members) => decidePatch({ profile, members }, patch.value, request.caller),
        guard: deps.guardOf(request),
      },
    );
    return changed.ok ? withEtag(changed.value) : changed;
  };

function decidePatch(view: AuthProfileView, patch: Patch, caller: Caller): Result<AuthProfile, Failure> {
  const patched = patchAuthProfile(view.profile, patch);
  const forbidden = patched.ok ? forbiddenChange(view, patched.value, caller) : null;
  return forbidden === null ? patched : fail(forbidden);
}

const forbiddenChange = ({ profile: before, members }: AuthProfileView, after: AuthProfile, caller: Caller) =>
  validateVerificationChange({ before, after, members, caller, at: (property) => property });

async function tryPatch(
  request: OperationRequest,
  deps: AuthProfileDeps,
  { patch, origin }: { readonly patch: Patch; readonly origin: DryRunOrigin },
): Promise<Result<OperationResult, ApiFailure>> {
  const { caller, params } = request;
  const { tenant, identityId } = caller;
  const view = await deps.store.authProfiles.findView(tenant, params['id'] ?? '', identityId);
  if (view === null) return NO_PROFILE;
  const met = ifMatch(request)(view.profile);
  if (!met.ok) return met;
  const patched = patchAuthProfile(view.profile, patch);
  if (!patched.ok) return patched;
  const { network } = await deps.store.signInSettings.readLatest(tenant);
  const change = { ...profileChange(patched.value), network: { before: network, after: network } };
  const isForbidden = forbiddenChange(view, patched.value, caller) !== null;
  return answerDryRun(request, deps, { ...change, origin, isForbidden });
}
