import { fail, failure, patchAuthUser } from '@access-admin/domain';
import type { AuthUserStore } from '@access-admin/store';
import { withEtag } from '../../operations/answers.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { ifMatch } from '../answers/resource.ts';

export interface AuthUserParts {
  readonly authUsers: AuthUserStore;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

export const authUserHandlers = ({ authUsers, now, guardOf }: AuthUserParts) =>
  ({
    'get-auth-user-v1': async ({ caller, params }) => {
      const user = await authUsers.find(caller.tenant, params.id);
      return user === null ? fail(failure('NotFound', '', 'There is no such auth user.')) : withEtag(user);
    },

    'patch-auth-user-v1': async (request) => {
      const { caller, params, body } = request;
      const changed = await authUsers.change(auditContextOfRequest(request, now()), params.id, {
        precondition: ifMatch(request.c),
        decide: (view) => patchAuthUser(view, body, caller),
        guard: guardOf(request),
      });
      return changed.ok ? withEtag(changed.value) : changed;
    },
  }) satisfies Partial<OperationHandlers>;
