import { type AuditContext, fail, ok, type SignInGuard } from '@access-admin/domain';
import type { CredentialRef, Enrolment, SignInIdentity } from '@access-admin/store';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { enrolmentPage, recoveryCodesPage, type TotpSecretView } from '../../sign-in/pages/enrolment.tsx';
import { redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { textOf } from '../../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../../sign-in/pages/texts.ts';
import { confirmApp, newTotpView, sameTotpView } from '../../sign-in-steps/authenticator.ts';
import { newPasswordOf } from '../../sign-in-steps/enrol.ts';
import { canSignIn, hasSecondFactor } from '../../sign-in-steps/factors.ts';
import { noCeremony, offersPasskeys, placeOf, verifyNewPasskey } from '../../sign-in-steps/passkey-ceremony.ts';
import { takeChallenge } from './confirm.tsx';
import { type AccountDeps, type Holder, holderContext, usesOwnPassword, withHolder, withProof } from './deps.ts';
import { type Done, doneAt, refusedChange } from './show.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

/** POST /account/password */
export const postPassword =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withProof(c, deps, async (holder) => {
      const { identity, session } = holder;
      const refuse = (error: string) => refusedChange(c, holder, { error, ...deps });
      if (!usesOwnPassword(await deps.decide(c, identity)))
        return refuse(textOf(c, ACCOUNT_TEXTS, 'password.elsewhere'));
      const password = newPasswordOf(c, identity);
      if (!password.ok) return refuse(password.failure);
      const hash = await deps.passwords.hash({ password: password.value, address: deps.addressOf(c) });
      const context = holderContext(c, holder, { operation: 'set-password', now: deps.now() });
      const stored = await deps.credentials.setPassword(context, identity.id, {
        hash,
        keepSession: session.id,
        ...enrolledBy(holder),
      });
      return stored === 'STORED' ? redirectTo(c, doneAt('password')) : refuse(textOf(c, ACCOUNT_TEXTS, 'not-stored'));
    });

/** POST /account/passkeys/options */
export const passkeyOptions =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withHolder(c, deps, async ({ session, identity, mayChange }) => {
      if (!offersPasskeys(c, deps) || !mayChange) return noCeremony(c);
      const options = await deps.passkeys.createRegistration(placeOf(c), identity);
      const { challenge } = options;
      const state = { step: 'ACCOUNT', sessionId: session.id, purpose: 'ADD_PASSKEY', challenge } as const;
      const begun = await deps.pending.begin(c, identity.id, state);
      return begun === null ? noCeremony(c) : c.json(options);
    });

/** POST /account/passkeys */
export const postPasskey =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withProof(c, deps, async (holder) => {
      const challenge = await takeChallenge(c, holder, { purpose: 'ADD_PASSKEY', ...deps });
      const passkey = challenge === null ? null : await verifyNewPasskey(c, holder.identity, { challenge, ...deps });
      const context = holderContext(c, holder, { operation: 'add-passkey', now: deps.now() });
      const stored =
        passkey !== null &&
        (await deps.credentials.addPasskey(context, holder.identity.id, { passkey, ...enrolledBy(holder) })) ===
          'STORED';
      return stored
        ? redirectTo(c, doneAt('passkey'))
        : refusedChange(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'passkeys.not-added'), ...deps });
    });

/** POST /account/passkeys/{id}/remove */
export const removePasskey =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withProof(c, deps, async (holder) => {
      const id = c.req.param('id') ?? '';
      const context = holderContext(c, holder, { operation: 'remove-passkey', now: deps.now() });
      return removeOwn(c, holder, {
        deps,
        context,
        done: 'passkey-removed',
        credential: { type: 'PASSKEY', id },
        leftOf: ({ passkeys }) => ({ passkeys: passkeys.filter((passkey) => passkey.id !== id) }),
      });
    });

/** GET /account/authenticator: a new key each time. */
export const showAuthenticator =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withProof(c, deps, async ({ identity }) =>
      authenticatorPage(c, newTotpView(deps.authenticatorApp, identity), null),
    );

/** POST /account/authenticator */
export const postAuthenticator =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withProof(c, deps, async (holder) => {
      const { identity } = holder;
      const app = confirmApp(c, deps.authenticatorApp, identity);
      if (app === null) {
        const totp = sameTotpView(c, deps.authenticatorApp, identity);
        return authenticatorPage(c, totp, textOf(c, PAGE_TEXTS, 'code.wrong'));
      }
      const context = holderContext(c, holder, { operation: 'add-authenticator', now: deps.now() });
      const stored = await deps.credentials.setTotp(context, identity.id, { ...app, ...enrolledBy(holder) });
      if (stored !== 'STORED')
        return refusedChange(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'not-stored'), ...deps });
      return identity.recoveryCodes !== null ? redirectTo(c, doneAt('authenticator')) : showNewCodes(c, holder, deps);
    });

/** POST /account/authenticator/remove */
export const removeAuthenticator =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withProof(c, deps, async (holder) => {
      const context = holderContext(c, holder, { operation: 'remove-authenticator', now: deps.now() });
      return removeOwn(c, holder, {
        deps,
        context,
        done: 'authenticator-removed',
        credential: { type: 'TOTP' },
        leftOf: () => ({ totp: null }),
      });
    });

/** POST /account/recovery-codes */
export const postRecoveryCodes =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withProof(c, deps, async (holder) =>
      hasSecondFactor(holder.identity)
        ? showNewCodes(c, holder, deps)
        : refusedChange(c, holder, {
            error: textOf(c, ACCOUNT_TEXTS, 'codes.no-factor'),
            ...deps,
          }),
    );

/** A factor that is set in a session derives from the same used link as the session. */
const enrolledBy = ({ session: { usedLink = null } }: Holder): Enrolment => ({ link: null, usedLink });

async function showNewCodes(c: PageContext, holder: Holder, deps: AccountDeps): Promise<Response> {
  const context = holderContext(c, holder, { operation: 'renew-recovery-codes', now: deps.now() });
  const codes = await deps.recoveryCodes.replace(context, holder.identity.id, enrolledBy(holder).usedLink);
  return renderPage(c, recoveryCodesPage(codes ?? [], '/account', c.get('speech')));
}

interface OwnRemoval {
  readonly deps: AccountDeps;
  readonly context: AuditContext;
  readonly credential: CredentialRef;
  /** What the identity has after the removal. */
  readonly leftOf: (identity: SignInIdentity) => Partial<Pick<SignInIdentity, 'passkeys' | 'totp'>>;
  /** What the page says then. */
  readonly done: Done;
}

const LAST_WAY_IN = { type: 'LastWayIn' } as const;

/** Removes a factor of the holder, unless the holder could not sign in any more. Windows that remove one each at the same time take turns. */
async function removeOwn(
  c: PageContext,
  holder: Holder,
  { deps, context, credential, leftOf, done }: OwnRemoval,
): Promise<Response> {
  const decision = await deps.decide(c, holder.identity);
  const removed = await deps.credentials.removeOne<typeof LAST_WAY_IN>(context, holder.identity.id, {
    credential,
    decide: (identity) => (canSignIn({ ...identity, ...leftOf(identity) }, decision) ? ok(null) : fail(LAST_WAY_IN)),
    guard: guardOf(c, deps),
    endsSessions: false,
  });
  if (removed.ok) return redirectTo(c, doneAt(done));
  return removed.failure.type === 'LastWayIn' ? refuseLast(c, holder, deps) : refuseForAll(c, holder, deps);
}

const refuseLast = (c: PageContext, holder: Holder, deps: AccountDeps): Promise<Response> =>
  refusedChange(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'last.own'), ...deps });

/** The guard of what the holder of a session removes. */
const guardOf = (c: PageContext, deps: Pick<AccountDeps, 'guardOf'>): SignInGuard =>
  deps.guardOf({ caller: { tenant: c.get('tenant') }, c });

/** The guard has refused what became the last way in of all administrators meanwhile. */
const refuseForAll = (c: PageContext, holder: Holder, deps: AccountDeps): Promise<Response> =>
  refusedChange(c, holder, {
    error: textOf(c, ACCOUNT_TEXTS, 'last.administrator'),
    status: 409,
    ...deps,
  });

const authenticatorPage = (
  c: PageContext,
  totp: TotpSecretView | null,
  error: string | null,
): Response | Promise<Response> =>
  renderPage(
    c,
    enrolmentPage(
      {
        title: textOf(c, ACCOUNT_TEXTS, 'app.title'),
        intro: textOf(c, ACCOUNT_TEXTS, 'app.text'),
        totp,
        action: '/account/authenticator',
        passkey: null,
        error,
        back: { href: '/account', label: textOf(c, PAGE_TEXTS, 'to-account') },
      },
      c.get('speech'),
    ),
  );
