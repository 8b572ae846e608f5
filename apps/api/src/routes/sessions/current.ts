import type { CurrentSession } from '@access-admin/contract';
import { Hono } from 'hono';
import type { HostTenants } from '../../auth/host-tenants.ts';
import type { ApiEnv } from '../../env.ts';
import { refuse } from '../../http/problem.ts';
import { existingTenant } from '../../middleware/existing-tenant.ts';
import { named } from '../../middleware/named.ts';
import type { LiveSession, Sessions } from '../../sessions/sessions.ts';
import { showEnds } from './show.ts';

/** `GET /sessions/v1/current`: for pages, which cannot read the cookie themselves. */
export function currentSession(
  { find }: Pick<Sessions, 'find'>,
  hostTenants: Pick<HostTenants, 'isOfNone'>,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get('/sessions/v1/current', named('get-current-session'), existingTenant(hostTenants), async (c) => {
    // A bearer token wins over a cookie, and is no session.
    const live = c.req.header('authorization') === undefined ? await find(c) : null;
    if (live === null) return refuse(c, NO_SESSION);
    return c.json(show(live));
  });
  return app;
}

const NO_SESSION = { type: 'Unauthenticated', causes: [], error: null, reason: 'no session' } as const;

const show = ({ session, ...ends }: LiveSession): CurrentSession => ({
  identityId: session.identityId,
  displayName: session.displayName,
  capabilities: session.capabilities,
  authTime: new Date(session.createdMs).toISOString(),
  factors: session.factors,
  ...showEnds(ends),
});
