import { AUTH_USERS, authUserPatch } from '@access-admin/contract';
import { changeCapabilities, type Forbidden, fail, failure, validateOtherCredentialTarget } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { ifMatch, withEtag } from './answers/resource.ts';
import { createSignInLink, removeCredential, removeCredentials, showCredentials } from './auth-users/credentials.ts';

/** Auth users, and their credentials. */
export const authUsers = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(AUTH_USERS.get, async (c, { caller, params }) => {
        const user = await c.env.services.store.authUsers.find(caller.tenant, params.id);
        return user === null ? fail(failure('NotFound', '', 'There is no such auth user.')) : withEtag(c, user);
      }),
    )
    .on(
      ...route(AUTH_USERS.patch, async (c, { caller, params, body }) => {
        const { store, guardOf } = c.env.services;
        const changed = await store.authUsers.change(auditContext(c), params.id, {
          precondition: ifMatch(c),
          decide: (view) => {
            const patched = authUserPatch.apply(view.user, body);
            return patched.ok ? changeCapabilities(view, patched.value.capabilities, caller) : patched;
          },
          guard: guardOf({ c, caller }),
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    )
    .on(...route(AUTH_USERS.createSignInLink, createSignInLink))
    .on(...route(AUTH_USERS.getCredentials, showCredentials))
    .on(...route(AUTH_USERS.removeCredential, removeCredential))
    .on(
      ...route(AUTH_USERS.unlock, async (c, { caller, params }) => {
        const { signInFailures } = c.env.services.store;
        const unlocked = await signInFailures.unlock<Forbidden>(auditContext(c), params.id, (target) =>
          validateOtherCredentialTarget(target, caller),
        );
        return unlocked.ok ? c.body(null, 204) : unlocked;
      }),
    )
    .on(...route(AUTH_USERS.removeCredentials, removeCredentials));
