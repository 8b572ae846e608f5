import type { CurrentSession } from '@access-admin/contract';
import { whenReady } from '../../event-loop/maybe-promise.ts';
import { type HttpResponse, jsonResponse, type RequestHandler } from '../../http/exchange.ts';
import { problemResponse } from '../../http/problem.ts';
import type { LiveSession, Sessions } from '../../sessions/sessions.ts';
import { showEnds } from './show.ts';

/** get-current-session: for pages, which cannot read the cookie themselves. */
export const createCurrentSession =
  ({ find }: Pick<Sessions, 'find'>): RequestHandler =>
  (c, { trackingId }) =>
    whenReady<LiveSession | null, HttpResponse>(
      // A bearer token wins over a cookie, and is no session.
      c.req.header('authorization') === null ? find(c) : null,
      (live) => (live === null ? problemResponse({ ...NO_SESSION }, trackingId) : noStore(jsonResponse(show(live)))),
    );

const NO_SESSION = { type: 'Unauthenticated', causes: [], error: null, reason: 'no session' } as const;

const noStore = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'cache-control': 'no-store' },
});

const show = ({ session, ...ends }: LiveSession): CurrentSession => ({
  identityId: session.identityId,
  displayName: session.displayName,
  capabilities: session.capabilities,
  authTime: new Date(session.createdMs).toISOString(),
  factors: session.factors,
  ...showEnds(ends),
});
