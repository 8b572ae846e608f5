import type { CredentialStore, SignInFactor, SignInIdentity } from '@access-admin/store';
import type { Passkeys } from '../../credentials/passkeys.ts';
import { jsonResponse } from '../../http/exchange.ts';
import { redirectTo } from '../../pages/layout.ts';
import type { PageAnswer, PageHandler, PageRequest } from '../../pages/mount.ts';
import type { Providers } from '../../sign-in/providers.ts';
import type { CompleteSignIn } from '../../sign-in-steps/complete.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import type { EnrolFactor } from '../../sign-in-steps/enrol.ts';
import { secondFactorsOf } from '../../sign-in-steps/factors.ts';
import type { SignInJournal } from '../../sign-in-steps/journal.ts';
import { noCeremony, offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
import type { PendingSignIns, ReadPending } from '../../sign-in-steps/pending.ts';
import type { ProveFactor } from '../../sign-in-steps/prove-factor.ts';
import { failedLogin } from './login.ts';
import { secondFactorPage } from './second-factor-page.ts';

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

const WRONG = 'This did not work. Check it and try again; each code works once.';

/** GET /login/second-factor */
export const showSecondFactor =
  (deps: SecondFactorDeps): PageHandler =>
  async (request) => {
    const found = await findPending(request, deps);
    return found === null ? redirectTo('/login') : pageOf(request, found.identity, { error: null, ...deps });
  };

/** POST /login/second-factor */
export const postSecondFactor =
  (deps: SecondFactorDeps): PageHandler =>
  async (request) => {
    const found = await findPending(request, deps);
    if (found === null) return redirectTo('/login');
    const { pending, identity } = found;
    if (await isRefused(request, found, deps)) return failedLogin(request, pending.state.to, deps);
    const factor = await deps.prove.secondFactor(request, identity);
    if (factor === null) await deps.journal.failed(request, identity);
    // Read again, so that codes that are sent at the same time are not all admitted by a state from before.
    if (await isRefused(request, found, deps)) return failedLogin(request, pending.state.to, deps);
    return factor === null
      ? pageOf(request, identity, { error: WRONG, ...deps })
      : proceed(request, found, { factor, ...deps });
  };

/** POST /login/second-factor/passkey/options */
export const secondFactorOptions =
  (deps: SecondFactorDeps): PageHandler =>
  async (request) => {
    const found = await findPending(request, deps);
    if (found === null || !offersPasskeys(request, deps)) return noCeremony();
    const options = await deps.passkeys.createAuthentication(request, found.identity);
    const { pending } = found;
    return (await deps.pending.update(request, pending, { ...pending.state, challenge: options.challenge }))
      ? jsonResponse(options)
      : noCeremony();
  };

/** POST /login/second-factor/passkey. Failures do not count for locks. */
export const postSecondFactorPasskey =
  (deps: SecondFactorDeps): PageHandler =>
  async (request) => {
    const found = await findPending(request, deps);
    if (found === null) return redirectTo('/login');
    const { pending, identity } = found;
    if (await isRefused(request, found, deps)) return failedLogin(request, pending.state.to, deps);
    const { challenge } = pending.state;
    // A challenge is answered once.
    const isOwn =
      challenge !== null && (await deps.pending.update(request, pending, { ...pending.state, challenge: null }));
    const proven = isOwn && offersPasskeys(request, deps) ? await deps.prove.passkey(request, challenge) : null;
    return proven?.id === identity.id
      ? proceed(request, found, { factor: 'PASSKEY', ...deps })
      : pageOf(request, identity, { error: WRONG, ...deps });
  };

interface Found {
  readonly pending: ReadPending<'SECOND_FACTOR'>;
  readonly identity: SignInIdentity;
}

async function findPending(request: PageRequest, deps: SecondFactorDeps): Promise<Found | null> {
  const pending = await deps.pending.find(request, 'SECOND_FACTOR');
  if (pending?.identityId == null) return null;
  const identity = await deps.credentials.findIdentity(request.tenant, pending.identityId);
  return identity === null ? null : { pending, identity };
}

/** Whether the identity may not sign in any more; this ends the sign-in. */
async function isRefused(request: PageRequest, { pending, identity }: Found, deps: SecondFactorDeps): Promise<boolean> {
  const { decision, reasons } = await deps.decide(request, identity);
  if (decision !== 'BLOCK') return false;
  await deps.pending.take(request, pending);
  if (!reasons.includes('LOCKED_OUT')) await deps.journal.blocked(request, identity, reasons);
  return true;
}

/** Ends the sign-in with a session, and stores what a link has allowed. Of two requests at once only one gets here. */
async function proceed(
  request: PageRequest,
  { pending, identity }: Found,
  { factor, ...deps }: SecondFactorDeps & { readonly factor: SignInFactor },
): Promise<PageAnswer> {
  const { factors, to, enrol } = pending.state;
  if (!(await deps.pending.take(request, pending))) return redirectTo('/login');
  const isStored = enrol === null || (await deps.enrol(request, identity.id, { ...enrol, link: null })) === 'STORED';
  const { linkGeneration } = pending;
  const proven = { identityId: identity.id, factors: [...factors, factor], linkGeneration, to };
  return (isStored ? await deps.complete(request, proven) : null) ?? failedLogin(request, to, deps);
}

const pageOf = (
  request: PageRequest,
  identity: SignInIdentity,
  { error, ...deps }: SecondFactorDeps & { readonly error: string | null },
): PageAnswer => secondFactorPage({ offered: secondFactorsOf(identity, offersPasskeys(request, deps)), error });
