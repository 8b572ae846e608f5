import type { CurrentSession } from '@access-admin/contract';
import { Hono } from 'hono';
import type { ApiEnv } from '../../env.ts';
import { refuse } from '../../http/problem.ts';
import { existingTenant } from '../../middleware/existing-tenant.ts';
import { named } from '../../middleware/named.ts';
import type { LiveSession } from '../../sign-in/session.ts';
import { showEnds } from './show.ts';

/** `GET /sessions/v1/current`: for pages, which cannot read the cookie themselves. */
export const currentSession = () =>
  new Hono<ApiEnv>().get('/sessions/v1/current', named('get-current-session'), existingTenant, async (c) => {
    // A bearer token wins over a cookie, and is no session.
    const live = c.req.header('authorization') === undefined ? await c.env.services.sessions.find(c) : null;
    return live === null ? refuse(c, NO_SESSION) : c.json(show(live));
  });

const NO_SESSION = { type: 'Unauthenticated', causes: [], error: null, reason: 'no session' } as const;

const show = ({ session, ...ends }: LiveSession): CurrentSession => ({
  identityId: session.identityId,
  displayName: session.displayName,
  capabilities: session.capabilities,
  authTime: new Date(session.createdMs).toISOString(),
  factors: session.factors,
  ...showEnds(ends),
});
