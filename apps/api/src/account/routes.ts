import { fail, ok } from '@access-admin/domain';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import { page } from '../sign-in/mount.ts';
import { refusePage } from '../sign-in/pages/error-page.tsx';
import { redirectTo } from '../sign-in/pages/layout.tsx';
import { textOf } from '../sign-in/pages/speech.ts';
import { change } from './change.ts';
import { confirm } from './confirm.tsx';
import { holderContext, withHolder } from './holder.ts';
import { doneAt, showAccount } from './page.tsx';
import { ACCOUNT_TEXTS } from './texts.ts';

const NOT_OWN = { type: 'NotFound', causes: [] } as const;

/** The pages of one's own account. */
export const account = () =>
  new Hono<PageEnv>()
    .get('/account', ...page('show-account'), (c) => withHolder(c, (holder) => showAccount(c, holder)))
    .route('/', confirm())
    .route('/', change())
    .post('/account/sessions/:id/end', ...page('end-session'), (c) =>
      withHolder(c, async (holder) => {
        const { sessions } = c.env.services.store;
        const context = holderContext(c, holder, 'end-session');
        const ended = await sessions.end(context, c.req.param('id'), ({ identityId }) =>
          identityId === holder.identity.id ? ok(null) : fail(NOT_OWN),
        );
        return ended.ok
          ? redirectTo(c, doneAt('session'))
          : refusePage(c, NOT_OWN, { text: textOf(c, ACCOUNT_TEXTS, 'sessions.unknown') });
      }),
    )
    // Without a session there is nothing to end.
    .post('/sign-out', ...page('sign-out'), async (c) => {
      await c.env.services.sessions.end(c);
      return redirectTo(c, '/login?signed-out');
    });
