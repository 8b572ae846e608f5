import { targetOf } from '../../http/target.ts';
import { failure } from '@access-admin/domain';
import type { CredentialStore } from '@access-admin/store';
import { addressOf } from '../../auth/base-address.ts';
import type { Passkeys } from '../../credentials/passkeys.ts';
import { pathAndQueryOf } from '../../http/target.ts';
import { html } from '../../pages/html.ts';
import { type Page, redirectTo } from '../../pages/layout.ts';
import type { PageAnswer, PageHandler, PageRequest } from '../../pages/mount.ts';
import { ownPath } from '../../pages/own-path.ts';
import type { OidcApplication } from '../../sign-in/applications.ts';
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

const UNKNOWN = { failure: failure('NotFound', '', 'There is no such way to sign in.') };

/** GET /login/application/{id}: leads to the provider. */
export const startApplication =
  (deps: ApplicationDeps): PageHandler =>
  async (request) => {
    const application = applicationOf(request, deps);
    if (application === null) return UNKNOWN;
    if (request.isFramed) return framedPage();
    // The provider leads back to the base address, so the cookie of the attempt has to be there.
    const base = addressOf(deps.baseAddress, request.tenant);
    if (request.origin !== new URL(base).origin) return redirectTo(`${base}${pathAndQueryOf(targetOf(request.c))}`);
    const started = await deps.providers.start(application, redirectUriOf(request, application, deps));
    if (started === null) return unavailablePage(application);
    const to = ownPath(request.query.get('to'));
    const state = { step: 'APPLICATION', applicationId: application.id, to, ...started.attempt } as const;
    const cookie = await deps.pending.begin(request, null, state);
    return cookie === null ? UNKNOWN : { ...redirectTo(started.url), cookies: [cookie] };
  };

/** GET /login/application/{id}/callback: the provider leads back. An attempt is answered once. */
export const finishApplication =
  (deps: ApplicationDeps): PageHandler =>
  async (request) => {
    const application = applicationOf(request, deps);
    if (application === null) return UNKNOWN;
    const pending = await findAttempt(request, application, deps);
    // Another page may lead a browser here: it counts as no failure, and ends no attempt of this browser.
    if (pending === null || !(await deps.pending.take(request, pending))) return failedLogin(request, '/', deps);
    const { state, nonce, codeVerifier, to } = pending.state;
    const verified = await deps.providers.verify(application, {
      ...{ state, nonce, codeVerifier, redirectUri: redirectUriOf(request, application, deps) },
      query: request.query.toString(),
    });
    if (verified === 'UNAVAILABLE') return unavailablePage(application);
    const username = verified === 'REFUSED' ? null : verified.username;
    return signIn(request, { application, username, to, deps });
  };

interface Verified {
  readonly application: OidcApplication;
  readonly username: string | null;
  readonly to: string;
  readonly deps: ApplicationDeps;
}

/** Signs in the very identity that the provider has named, if its auth profile names this provider. */
async function signIn(request: PageRequest, { application, username, to, deps }: Verified): Promise<PageAnswer> {
  const identity = username === null ? null : await deps.credentials.findByUsername(request.tenant, username);
  // Another provider may not lock the users of this one.
  if (identity?.authProfile?.applicationId !== application.id) {
    await deps.journal.failed(request, null);
    return failedLogin(request, to, deps);
  }
  const decision = await admit(request, identity, deps);
  if (decision !== null && decision.verifiedBy !== 'APPLICATION') await deps.journal.failed(request, null);
  if (decision?.verifiedBy !== 'APPLICATION') return failedLogin(request, to, deps);
  return (await proceedAfterFirstFactor(request, { identity, decision, to }, deps)) ?? failedLogin(request, to, deps);
}

async function findAttempt(
  request: PageRequest,
  application: OidcApplication,
  { pending }: Pick<ApplicationDeps, 'pending'>,
): Promise<ReadPending<'APPLICATION'> | null> {
  const found = await pending.find(request, 'APPLICATION');
  const isOwn = found?.state.applicationId === application.id && found.state.state === request.query.get('state');
  return isOwn ? found : null;
}

const applicationOf = ({ tenant, c }: PageRequest, { providers }: ApplicationDeps): OidcApplication | null =>
  providers.find(tenant, c.req.param('id') ?? '');

/** Each provider has an address of its own, so that the answer of one is none of another (mix-up). */
const redirectUriOf = (
  { tenant }: PageRequest,
  { id }: OidcApplication,
  { baseAddress }: Pick<ApplicationDeps, 'baseAddress'>,
): string => `${addressOf(baseAddress, tenant)}/login/application/${encodeURIComponent(id)}/callback`;

const framedPage = (): Page => ({
  title: 'Sign in outside of this frame',
  status: 403,
  content: html`<div class="card"><p>This way to sign in cannot be used in a frame. Open this service in a window of its own.</p>
<p><a href="/login">Back to sign-in</a></p></div>`,
});

const unavailablePage = ({ name }: OidcApplication): Page => ({
  title: 'Sign-in is not available',
  status: 503,
  headers: { 'retry-after': '5' },
  content: html`<div class="card"><p>The service ${name} does not answer. Wait a few seconds, then try again.</p>
<p><a href="/login">Back to sign-in</a></p></div>`,
});
