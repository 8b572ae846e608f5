import { Hono } from 'hono';
import { tenantAddress } from '../auth/base-address.ts';
import type { PageEnv } from '../env.ts';
import { pathAndQueryOf, queryOf, targetOf } from '../http/target.ts';
import type { OidcApplication } from './factors/applications.ts';
import type { PendingAt } from './flow.ts';
import { pageOfGetAlone } from './mount.ts';
import type { PageContext } from './pages/context.ts';
import { refusePage } from './pages/error-page.tsx';
import { ownAddress, redirectTo, renderPage } from './pages/layout.tsx';
import { awayApplicationPage, framedApplicationPage } from './pages/login.tsx';
import { ownPath } from './pages/own-path.ts';
import { textOf } from './pages/speech.ts';
import { SIGN_IN_TEXTS } from './pages/texts.ts';
import { admit, afterFirstFactor, failedLogin } from './steps.ts';

/** Signs in by an OpenID provider. */
export const application = () =>
  new Hono<PageEnv>()
    .get('/login/application/:id', ...pageOfGetAlone('start-application'), async (c) => {
      const { config, signIn } = c.env.services;
      const asked = signIn.providers.find(c.get('tenant'), c.req.param('id'));
      if (asked === null) return refuseUnknown(c);
      if (c.get('isFramed')) return renderPage(c, framedApplicationPage(ownAddress(c), c.get('speech')));
      // The provider leads back to the base address, so the cookie of the attempt has to be there.
      const base = tenantAddress(config.baseAddress, c.get('tenant'));
      if (c.get('origin') !== new URL(base).origin) return redirectTo(c, `${base}${pathAndQueryOf(targetOf(c))}`);
      const started = await signIn.providers.start(asked, redirectUriOf(c, asked));
      if (started === null) return awayPage(c, asked);
      const to = ownPath(c.req.query('to'));
      const state = { step: 'APPLICATION', applicationId: asked.id, to, ...started.attempt } as const;
      const begun = await signIn.pending.begin(c, null, state);
      return begun === null ? refuseUnknown(c) : redirectTo(c, started.url);
    })
    .get('/login/application/:id/callback', ...pageOfGetAlone('finish-application'), async (c) => {
      const { pending, providers } = c.env.services.signIn;
      const asked = providers.find(c.get('tenant'), c.req.param('id'));
      if (asked === null) return refuseUnknown(c);
      const attempt = await pending.find(c, 'APPLICATION');
      const isOwn = attempt?.state.applicationId === asked.id && attempt.state.state === c.req.query('state');
      // Another page may lead a browser here: it counts as no failure, and ends no attempt of this browser. An attempt is answered once.
      if (!isOwn || !(await pending.take(c, attempt))) return failedLogin(c, '/');
      return finish(c, asked, attempt.state);
    });

async function finish(
  c: PageContext,
  asked: OidcApplication,
  { state, nonce, codeVerifier, to }: PendingAt<'APPLICATION'>,
): Promise<Response> {
  const { store, signIn } = c.env.services;
  const answer = { state, nonce, codeVerifier, redirectUri: redirectUriOf(c, asked), query: queryOf(c).toString() };
  const verified = await signIn.providers.verify(asked, answer);
  if (verified === 'UNAVAILABLE') return awayPage(c, asked);
  const identity =
    verified === 'REFUSED' ? null : await store.credentials.findByUsername(c.get('tenant'), verified.username);
  // It signs in those alone whose auth profile names it. Another provider may not lock its users.
  if (identity?.authProfile?.applicationId !== asked.id) {
    await signIn.journal.failed(c, null);
    return failedLogin(c, to);
  }
  const decision = await admit(c, identity);
  if (decision !== null && decision.verifiedBy !== 'APPLICATION') await signIn.journal.failed(c, null);
  if (decision?.verifiedBy !== 'APPLICATION') return failedLogin(c, to);
  return afterFirstFactor(c, { identity, decision, to });
}

/** Each provider has an address of its own, so that the answer of one is none of another (mix-up). */
const redirectUriOf = (c: PageContext, { id }: OidcApplication): string =>
  `${tenantAddress(c.env.services.config.baseAddress, c.get('tenant'))}/login/application/${encodeURIComponent(id)}/callback`;

const refuseUnknown = (c: PageContext): Response | Promise<Response> =>
  refusePage(c, { type: 'NotFound', causes: [] }, { text: textOf(c, SIGN_IN_TEXTS, 'application.unknown') });

function awayPage(c: PageContext, { name }: OidcApplication): Response | Promise<Response> {
  c.header('retry-after', '5');
  return renderPage(c, awayApplicationPage(name, c.get('speech')));
}
