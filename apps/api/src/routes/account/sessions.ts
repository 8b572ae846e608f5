import { fail, ok } from '@access-admin/domain';
import type { PageHandler } from '../../sign-in/pages/context.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { redirectTo } from '../../sign-in/pages/layout.tsx';
import { textOf } from '../../sign-in/pages/speech.ts';
import { type AccountDeps, holderContext, withHolder } from './deps.ts';
import { doneAt } from './show.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

const NOT_OWN = { type: 'NotFound', causes: [] } as const;

/** POST /account/sessions/{id}/end */
export const endSession =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withHolder(c, deps, async (holder) => {
      const context = holderContext(c, holder, { operation: 'end-session', now: deps.now() });
      const ended = await deps.sessions.end(context, c.req.param('id') ?? '', ({ identityId }) =>
        identityId === holder.identity.id ? ok(null) : fail(NOT_OWN),
      );
      return ended.ok
        ? redirectTo(c, doneAt('session'))
        : refusePage(c, NOT_OWN, { text: textOf(c, ACCOUNT_TEXTS, 'sessions.unknown') });
    });

/** POST /sign-out: without a session there is nothing to end. */
export const signOut =
  ({ browserSessions }: Pick<AccountDeps, 'browserSessions'>): PageHandler =>
  async (c) => {
    await browserSessions.signOut(c);
    return redirectTo(c, '/login?signed-out');
  };
