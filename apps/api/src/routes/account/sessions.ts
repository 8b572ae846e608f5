import { fail, failure } from '@access-admin/domain';
import { redirectTo } from '../../pages/layout.ts';
import type { PageHandler } from '../../pages/mount.ts';
import { type AccountDeps, holderContext, withHolder } from './deps.ts';
import { doneAt } from './show.ts';

const NOT_OWN = failure('NotFound', '', 'You have no such session.');

/** POST /account/sessions/{id}/end */
export const endSession =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withHolder(request, deps, async (holder) => {
      const context = holderContext(request, holder, { operation: 'end-session', now: deps.now() });
      const ended = await deps.sessions.end(context, request.c.req.param('id') ?? '', ({ identityId }) =>
        identityId === holder.identity.id ? { ok: true, value: null } : fail(NOT_OWN),
      );
      return ended.ok ? redirectTo(doneAt('session')) : { failure: NOT_OWN };
    });

/** POST /sign-out: without a session there is nothing to end. */
export const signOut =
  ({ browserSessions }: Pick<AccountDeps, 'browserSessions'>): PageHandler =>
  async (request) => ({
    ...redirectTo('/login?signed-out'),
    cookies: [await browserSessions.signOut(request)],
  });
