import { fail, failure, parseAuthUserPatch, patchAuthUser } from '@access-admin/domain';
import type { AuthUserStore, Store } from '@access-admin/store';
import type { OperationHandlers } from '../../operations/operation.ts';
import { auditContextOfRequest, type OperationHandler } from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface AuthUserDeps {
  readonly store: Pick<Store, 'authUsers'>;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

export const authUserHandlers = ({ store: { authUsers }, ...deps }: AuthUserDeps) =>
  ({
    'get-auth-user-v1': getAuthUser(authUsers),
    'patch-auth-user-v1': patchAuthUserRoute(authUsers, deps),
  }) satisfies Partial<OperationHandlers>;

/** get-auth-user-v1 */
const getAuthUser =
  (authUsers: AuthUserStore): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const user = await authUsers.find(caller.tenant, id);
    return user === null ? fail(failure('NotFound', '', 'There is no such auth user.')) : withEtag(user);
  };

/** patch-auth-user-v1 */
const patchAuthUserRoute =
  (authUsers: AuthUserStore, { now, guardOf }: Pick<AuthUserDeps, 'now' | 'guardOf'>): OperationHandler =>
  async (request) => {
    const {
      caller,
      params: { id = '' },
      body,
    } = request;
    const patch = parseAuthUserPatch(body);
    if (!patch.ok) return patch;
    const changed = await authUsers.change(auditContextOfRequest(request, now()), id, {
      precondition: ifMatch(request),
      decide: (view) => patchAuthUser(view, patch.value, caller),
      guard: guardOf(request),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };
