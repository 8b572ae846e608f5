import type { CredentialStore, SignInIdentity } from '@access-admin/store';
import type { Passkeys } from '../../credentials/passkeys.ts';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { secondFactorPage } from '../../sign-in/pages/second-factor.tsx';
import { textOf } from '../../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../../sign-in/pages/texts.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { CompleteSignIn } from '../../sign-in-steps/browser-sessions.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import type { EnrolFactor } from '../../sign-in-steps/enrol.ts';
import { secondFactorsOf } from '../../sign-in-steps/factors.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import { type ProvenFactor, provenanceAfterSecondFactor } from '../../sign-in-steps/link-provenance.ts';
import { noCeremony, offersPasskeys, placeOf } from '../../sign-in-steps/passkey-ceremony.ts';
import { type PendingSignIns, type ReadPending, stepUrl } from '../../sign-in-steps/pending.ts';
import type { ProveFactor } from '../../sign-in-steps/prove-factor.ts';
import { failedLogin } from './login.ts';

export interface SecondFactorDeps {
  readonly credentials: Pick<CredentialStore, 'findIdentity'>;
  readonly decide: Decide;
  readonly journal: SignInJournal;
  readonly pending: PendingSignIns;
  readonly prove: ProveFactor;
  readonly passkeys: Pick<Passkeys, 'isAvailable' | 'createAuthentication'>;
  readonly enrol: EnrolFactor;
  readonly complete: CompleteSignIn;
  readonly providers: Pick<Providers, 'list'>;
}

/** GET /login/second-factor */
export const showSecondFactor =
  (deps: SecondFactorDeps): PageHandler =>
  async (c) => {
    const found = await findPending(c, deps);
    return found === null ? redirectTo(c, '/login') : pageOf(c, found, { error: null, ...deps });
  };

/** POST /login/second-factor */
export const postSecondFactor =
  (deps: SecondFactorDeps): PageHandler =>
  async (c) => {
    const found = await findPending(c, deps);
    if (found === null) return redirectTo(c, '/login');
    const { pending, identity } = found;
    if (await isRefused(c, found, deps)) return failedLogin(c, pending.state.to, deps);
    const proven = await deps.prove.secondFactor(c, identity);
    if (proven === null) await deps.journal.failed(c, identity);
    // Decided again, because concurrent attempts may have locked the identity meanwhile.
    if (await isRefused(c, found, deps)) return failedLogin(c, pending.state.to, deps);
    return proven === null
      ? pageOf(c, found, { error: textOf(c, PAGE_TEXTS, 'factor.wrong'), ...deps })
      : proceed(c, found, { proven, ...deps });
  };

/** POST /login/second-factor/passkey/options */
export const secondFactorOptions =
  (deps: SecondFactorDeps): PageHandler =>
  async (c) => {
    const found = await findPending(c, deps);
    if (found === null || !offersPasskeys(c, deps)) return noCeremony(c);
    const options = await deps.passkeys.createAuthentication(placeOf(c), found.identity);
    const { pending } = found;
    return (await deps.pending.update(c, pending, { ...pending.state, challenge: options.challenge }))
      ? c.json(options)
      : noCeremony(c);
  };

/** POST /login/second-factor/passkey. Failures do not count towards a lockout. */
export const postSecondFactorPasskey =
  (deps: SecondFactorDeps): PageHandler =>
  async (c) => {
    const found = await findPending(c, deps);
    if (found === null) return redirectTo(c, '/login');
    const { pending, identity } = found;
    if (await isRefused(c, found, deps)) return failedLogin(c, pending.state.to, deps);
    const { challenge } = pending.state;
    // Each challenge is accepted once.
    const isOwn = challenge !== null && (await deps.pending.update(c, pending, { ...pending.state, challenge: null }));
    const proven = isOwn && offersPasskeys(c, deps) ? await deps.prove.passkey(c, challenge) : null;
    return proven?.identity.id === identity.id
      ? proceed(c, found, { proven: { factor: 'PASSKEY', usedLink: proven.usedLink }, ...deps })
      : pageOf(c, found, { error: textOf(c, PAGE_TEXTS, 'factor.wrong'), ...deps });
  };

interface Found {
  readonly pending: ReadPending<'SECOND_FACTOR'>;
  readonly identity: SignInIdentity;
}

async function findPending(c: PageContext, deps: SecondFactorDeps): Promise<Found | null> {
  const pending = await deps.pending.find(c, 'SECOND_FACTOR');
  if (pending?.identityId == null) return null;
  const identity = await deps.credentials.findIdentity(c.get('tenant'), pending.identityId);
  return identity === null ? null : { pending, identity };
}

/** True if the identity may no longer sign in; then also ends the pending sign-in. */
async function isRefused(c: PageContext, { pending, identity }: Found, deps: SecondFactorDeps): Promise<boolean> {
  const { decision, reasons } = await deps.decide(c, identity);
  if (decision !== 'BLOCK') return false;
  await deps.pending.take(c, pending);
  if (!reasons.includes('LOCKED_OUT')) await deps.journal.blocked(c, identity, reasons);
  return true;
}

/** Stores the factor that a link permits, if any, and begins the session. Taking the pending sign-in admits one request only. */
async function proceed(
  c: PageContext,
  { pending, identity }: Found,
  { proven, ...deps }: SecondFactorDeps & { readonly proven: ProvenFactor },
): Promise<Response> {
  const { factors, to, enrol } = pending.state;
  if (!(await deps.pending.take(c, pending))) return redirectTo(c, '/login');
  const { usedLink } = pending.provenance;
  const isStored =
    enrol === null || (await deps.enrol(c, identity.id, { ...enrol, link: null, usedLink })) === 'STORED';
  const provenance = provenanceAfterSecondFactor(pending.provenance, proven);
  const signIn = { identityId: identity.id, factors: [...factors, proven.factor], ...provenance };
  return isStored && (await deps.complete(c, signIn)) ? redirectTo(c, to) : failedLogin(c, to, deps);
}

const pageOf = (
  c: PageContext,
  { pending, identity }: Found,
  { error, ...deps }: SecondFactorDeps & { readonly error: string | null },
): Response | Promise<Response> => {
  const offered = secondFactorsOf(identity, offersPasskeys(c, deps));
  return renderPage(c, secondFactorPage({ query: stepUrl('', pending.id), offered, error }, c.get('speech')));
};
