import { fail, failure, parseAuthProfilePatch, patchAuthProfile } from '@access-admin/domain';
import type { AuthProfileStore, Store } from '@access-admin/store';
import type { OperationHandlers } from '../../operations/request.ts';
import { auditContextOfRequest, type OperationHandler } from '../../operations/request.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { answerList } from '../answers/list.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface AuthProfileDeps {
  readonly store: Pick<Store, 'authProfiles'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

export const authProfileHandlers = ({ store: { authProfiles }, baseAddress, ...deps }: AuthProfileDeps) =>
  ({
    'get-profile-config-list-v1': listAuthProfiles(authProfiles, baseAddress),
    'get-profile-config-v1': getAuthProfile(authProfiles),
    'patch-profile-config-v1': patchAuthProfileRoute(authProfiles, deps),
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

/** get-profile-config-v1 */
const getAuthProfile =
  (authProfiles: AuthProfileStore): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const profile = await authProfiles.find(caller.tenant, id);
    return profile === null ? fail(failure('NotFound', '', 'There is no such auth profile.')) : withEtag(profile);
  };

/** patch-profile-config-v1 */
const patchAuthProfileRoute =
  (authProfiles: AuthProfileStore, { now, guardOf }: Pick<AuthProfileDeps, 'now' | 'guardOf'>): OperationHandler =>
  async (request) => {
    const {
      params: { id = '' },
      body,
    } = request;
    const patch = parseAuthProfilePatch(body);
    if (!patch.ok) return patch;
    const changed = await authProfiles.change(auditContextOfRequest(request, now()), id, {
      precondition: ifMatch(request),
      decide: (profile) => patchAuthProfile(profile, patch.value),
      guard: guardOf(request),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };
