import type { CredentialStore } from '@access-admin/store';
import { addressOf } from '../../auth/base-address.ts';
import type { Passkeys } from '../../credentials/passkeys.ts';
import { pathAndQueryOf, queryOf, targetOf } from '../../http/target.ts';
import type { OidcApplication } from '../../sign-in/applications.ts';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { ownAddress, redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { awayApplicationPage, framedApplicationPage } from '../../sign-in/pages/login.tsx';
import { ownPath } from '../../sign-in/pages/own-path.ts';
import { textOf } from '../../sign-in/pages/speech.ts';
import { SIGN_IN_TEXTS } from '../../sign-in/pages/texts.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import type { PendingSignIns, ReadPending } from '../../sign-in-steps/pending.ts';
import { admit, type FirstFactorDeps, proceedAfterFirstFactor } from './first-factor.ts';
import { failedLogin } from './login.ts';

export interface ApplicationDeps extends FirstFactorDeps {
  readonly credentials: Pick<CredentialStore, 'findByUsername'>;
  readonly passkeys: Pick<Passkeys, 'isAvailable'>;
  readonly providers: Providers;
  readonly journal: SignInJournal;
  readonly pending: PendingSignIns;
  readonly baseAddress: string;
}

const refuseUnknown = (c: PageContext): Response | Promise<Response> =>
  refusePage(c, { type: 'NotFound', causes: [] }, { text: textOf(c, SIGN_IN_TEXTS, 'application.unknown') });

/** GET /login/application/{id}: leads to the provider. */
export const startApplication =
  (deps: ApplicationDeps): PageHandler =>
  async (c) => {
    const application = applicationOf(c, deps);
    if (application === null) return refuseUnknown(c);
    if (c.get('isFramed')) return framedPage(c);
    // The provider leads back to the base address, so the cookie of the attempt has to be there.
    const base = addressOf(deps.baseAddress, c.get('tenant'));
    if (c.get('origin') !== new URL(base).origin) return redirectTo(c, `${base}${pathAndQueryOf(targetOf(c))}`);
    const started = await deps.providers.start(application, redirectUriOf(c, application, deps));
    if (started === null) return unavailablePage(c, application);
    const to = ownPath(c.req.query('to'));
    const state = { step: 'APPLICATION', applicationId: application.id, to, ...started.attempt } as const;
    const begun = await deps.pending.begin(c, null, state);
    return begun === null ? refuseUnknown(c) : redirectTo(c, started.url);
  };

/** GET /login/application/{id}/callback: the provider leads back. An attempt is answered once. */
export const finishApplication =
  (deps: ApplicationDeps): PageHandler =>
  async (c) => {
    const application = applicationOf(c, deps);
    if (application === null) return refuseUnknown(c);
    const pending = await findAttempt(c, application, deps);
    // Another page may lead a browser here: it counts as no failure, and ends no attempt of this browser.
    if (pending === null || !(await deps.pending.take(c, pending))) return failedLogin(c, '/', deps);
    const { state, nonce, codeVerifier, to } = pending.state;
    const verified = await deps.providers.verify(application, {
      state,
      nonce,
      codeVerifier,
      redirectUri: redirectUriOf(c, application, deps),
      query: queryOf(c).toString(),
    });
    if (verified === 'UNAVAILABLE') return unavailablePage(c, application);
    const username = verified === 'REFUSED' ? null : verified.username;
    return signIn(c, { application, username, to, deps });
  };

interface Verified {
  readonly application: OidcApplication;
  readonly username: string | null;
  readonly to: string;
  readonly deps: ApplicationDeps;
}

/** Signs in the very identity that the provider has named, if its auth profile names this provider. */
async function signIn(c: PageContext, { application, username, to, deps }: Verified): Promise<Response> {
  const identity = username === null ? null : await deps.credentials.findByUsername(c.get('tenant'), username);
  // Another provider may not lock the users of this one.
  if (identity?.authProfile?.applicationId !== application.id) {
    await deps.journal.failed(c, null);
    return failedLogin(c, to, deps);
  }
  const decision = await admit(c, identity, deps);
  if (decision !== null && decision.verifiedBy !== 'APPLICATION') await deps.journal.failed(c, null);
  if (decision?.verifiedBy !== 'APPLICATION') return failedLogin(c, to, deps);
  return (await proceedAfterFirstFactor(c, { identity, decision, to }, deps)) ?? failedLogin(c, to, deps);
}

async function findAttempt(
  c: PageContext,
  application: OidcApplication,
  { pending }: Pick<ApplicationDeps, 'pending'>,
): Promise<ReadPending<'APPLICATION'> | null> {
  const found = await pending.find(c, 'APPLICATION');
  const isOwn = found?.state.applicationId === application.id && found.state.state === c.req.query('state');
  return isOwn ? found : null;
}

const applicationOf = (c: PageContext, { providers }: ApplicationDeps): OidcApplication | null =>
  providers.find(c.get('tenant'), c.req.param('id') ?? '');

/** Each provider has an address of its own, so that the answer of one is none of another (mix-up). */
const redirectUriOf = (
  c: PageContext,
  { id }: OidcApplication,
  { baseAddress }: Pick<ApplicationDeps, 'baseAddress'>,
): string => `${addressOf(baseAddress, c.get('tenant'))}/login/application/${encodeURIComponent(id)}/callback`;

const framedPage = (c: PageContext): Response | Promise<Response> =>
  renderPage(c, framedApplicationPage(ownAddress(c), c.get('speech')));

function unavailablePage(c: PageContext, { name }: OidcApplication): Response | Promise<Response> {
  c.header('retry-after', '5');
  return renderPage(c, awayApplicationPage(name, c.get('speech')));
}
