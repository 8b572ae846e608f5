import type { CredentialStore, Passkey, SignInIdentity } from '@access-admin/store';
import type { AuthenticatorApp } from '../../credentials/authenticator-app.ts';
import type { Passkeys } from '../../credentials/passkeys.ts';
import type { RecoveryCodes } from '../../credentials/recovery-codes.ts';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { enrolmentPage, recoveryCodesPage, type TotpSecretView } from '../../sign-in/pages/enrolment.tsx';
import { redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { textOf } from '../../sign-in/pages/speech.ts';
import { PAGE_TEXTS, SIGN_IN_TEXTS } from '../../sign-in/pages/texts.ts';
import type { Providers } from '../../sign-in/providers.ts';
import { type ConfirmedApp, confirmApp, newTotpView, sameTotpView } from '../../sign-in-steps/authenticator.ts';
import type { CompleteSignIn } from '../../sign-in-steps/browser-sessions.ts';
import type { Decide } from '../../sign-in-steps/decide.ts';
import { SIGN_IN_ACTOR, selfContext } from '../../sign-in-steps/enrol.ts';
import { noCeremony, offersPasskeys, placeOf, verifyNewPasskey } from '../../sign-in-steps/passkey-ceremony.ts';
import { type PendingSignIns, type ReadPending, stepUrl } from '../../sign-in-steps/pending.ts';
import { failedLogin } from './login.ts';

export interface EnrolmentDeps {
  readonly credentials: Pick<CredentialStore, 'findIdentity' | 'setTotp' | 'addPasskey'>;
  readonly decide: Decide;
  readonly pending: PendingSignIns;
  readonly passkeys: Pick<Passkeys, 'isAvailable' | 'createRegistration' | 'verifyRegistration'>;
  readonly authenticatorApp: AuthenticatorApp;
  readonly recoveryCodes: Pick<RecoveryCodes, 'replace'>;
  readonly complete: CompleteSignIn;
  readonly now: () => Date;
  readonly providers: Pick<Providers, 'list'>;
}

/** GET /login/enrolment: after a link, where a second factor is needed and none is enrolled. */
export const showEnrolment =
  (deps: EnrolmentDeps): PageHandler =>
  (c) =>
    withPending(c, deps, async (found) =>
      pageOf(c, found, { error: null, totp: newTotpView(deps.authenticatorApp, found.identity), ...deps }),
    );

/** POST /login/enrolment: the first code of an authenticator app. */
export const postEnrolment =
  (deps: EnrolmentDeps): PageHandler =>
  (c) =>
    withPending(c, deps, async (found) => {
      const { identity } = found;
      const app = confirmApp(c, deps.authenticatorApp, identity);
      if (app !== null) return finish(c, found, { factor: 'TOTP', app, ...deps });
      const totp = sameTotpView(c, deps.authenticatorApp, identity);
      return pageOf(c, found, { error: textOf(c, PAGE_TEXTS, 'code.wrong'), totp, ...deps });
    });

/** POST /login/enrolment/passkey/options */
export const enrolmentPasskeyOptions =
  (deps: EnrolmentDeps): PageHandler =>
  (c) =>
    withPending(c, deps, async ({ pending, identity }) => {
      if (!offersPasskeys(c, deps)) return noCeremony(c);
      const options = await deps.passkeys.createRegistration(placeOf(c), identity);
      const isKept = await deps.pending.update(c, pending, { ...pending.state, challenge: options.challenge });
      return isKept ? c.json(options) : noCeremony(c);
    });

/** POST /login/enrolment/passkey */
export const postEnrolmentPasskey =
  (deps: EnrolmentDeps): PageHandler =>
  (c) =>
    withPending(c, deps, async (found) => {
      const { identity, pending } = found;
      const { challenge } = pending.state;
      const mayCreate = challenge !== null && offersPasskeys(c, deps);
      const passkey = mayCreate ? await verifyNewPasskey(c, identity, { challenge, ...deps }) : null;
      if (passkey === null) {
        const totp = newTotpView(deps.authenticatorApp, identity);
        return pageOf(c, found, { error: textOf(c, PAGE_TEXTS, 'passkey.not-created'), totp, ...deps });
      }
      return finish(c, found, { factor: 'PASSKEY', passkey, ...deps });
    });

interface Found {
  readonly pending: ReadPending<'ENROLMENT'>;
  readonly identity: SignInIdentity;
}

async function withPending(
  c: PageContext,
  deps: EnrolmentDeps,
  handle: (found: Found) => Promise<Response>,
): Promise<Response> {
  const pending = await deps.pending.find(c, 'ENROLMENT');
  const identity =
    pending?.identityId == null ? null : await deps.credentials.findIdentity(c.get('tenant'), pending.identityId);
  if (pending === null || identity === null) return redirectTo(c, '/login');
  const { decision } = await deps.decide(c, identity);
  if (decision !== 'BLOCK') return handle({ pending, identity });
  await deps.pending.take(c, pending);
  return failedLogin(c, pending.state.to, deps);
}

type NewFactor =
  | { readonly factor: 'TOTP'; readonly app: ConfirmedApp }
  | { readonly factor: 'PASSKEY'; readonly passkey: Passkey };

/** Stores the factor and new recovery codes, begins the session and shows the codes. */
async function finish(
  c: PageContext,
  { pending, identity }: Found,
  { credentials, complete, now, ...given }: EnrolmentDeps & NewFactor,
): Promise<Response> {
  if (!(await given.pending.take(c, pending))) return redirectTo(c, '/login');
  const identityId = identity.id;
  const context = (operation: string) => selfContext(c, { clientId: SIGN_IN_ACTOR, identityId, operation, now: now() });
  const { usedLink } = pending.provenance;
  const by = { link: null, usedLink };
  const stored =
    given.factor === 'TOTP'
      ? await credentials.setTotp(context('add-authenticator'), identityId, { ...given.app, ...by })
      : await credentials.addPasskey(context('add-passkey'), identityId, { passkey: given.passkey, ...by });
  const { factors, to } = pending.state;
  if (stored !== 'STORED') return failedLogin(c, to, given);
  const codes = await given.recoveryCodes.replace(context('renew-recovery-codes'), identityId, usedLink);
  const isIn = await complete(c, { identityId, factors: [...factors, given.factor], ...pending.provenance });
  return isIn ? renderPage(c, recoveryCodesPage(codes ?? [], to, c.get('speech'))) : failedLogin(c, to, given);
}

const pageOf = (
  c: PageContext,
  { pending: { id } }: Pick<Found, 'pending'>,
  given: Pick<EnrolmentDeps, 'passkeys'> & { readonly error: string | null; readonly totp: TotpSecretView | null },
): Response | Promise<Response> => {
  const speech = c.get('speech');
  const { text } = speech.of(SIGN_IN_TEXTS);
  const view = {
    title: text('enrolment.title'),
    intro: text('enrolment.text'),
    totp: given.totp,
    action: stepUrl('/login/enrolment', id),
    passkey: offersPasskeys(c, given)
      ? {
          action: stepUrl('/login/enrolment/passkey', id),
          options: stepUrl('/login/enrolment/passkey/options', id),
        }
      : null,
    error: given.error,
    back: { href: '/login', label: textOf(c, PAGE_TEXTS, 'to-sign-in') },
  };
  return renderPage(c, enrolmentPage(view, speech));
};
