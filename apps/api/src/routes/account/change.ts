import type { SignInGuard } from '@access-admin/domain';
import { jsonResponse } from '../../http/exchange.ts';
import { enrolmentPage, recoveryCodesPage, type TotpSecretView } from '../../pages/enrolment.ts';
import { redirectTo } from '../../pages/layout.ts';
import type { PageAnswer, PageHandler, PageRequest } from '../../pages/mount.ts';
import { confirmApp, newTotpView, sameTotpView } from '../../sign-in-steps/authenticator.ts';
import { newPasswordOf } from '../../sign-in-steps/enrol.ts';
import { canSignIn, hasSecondFactor } from '../../sign-in-steps/factors.ts';
import { nameOfNext, noCeremony, offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
import { parseCredential } from '../../sign-in-steps/prove-factor.ts';
import { WRONG_CODE } from '../sign-in/enrolment.ts';
import { takeChallenge } from './confirm.ts';
import { type AccountDeps, type Holder, holderContext, usesOwnPassword, withHolder, withProof } from './deps.ts';
import { doneAt, refusedChange } from './show.ts';

/** POST /account/password */
export const postPassword =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withProof(request, deps, async (holder) => {
      const { identity, session } = holder;
      const refuse = (error: string) => refusedChange(request, holder, { error, ...deps });
      if (!usesOwnPassword(await deps.decide(request, identity)))
        return refuse('You sign in with another service of your organisation: change your password there.');
      const password = newPasswordOf(request, identity);
      if (!password.ok) return refuse(password.failure);
      const hash = await deps.passwords.hash(password.value);
      const context = holderContext(request, holder, { operation: 'set-password', now: deps.now() });
      await deps.credentials.setPassword(context, identity.id, { hash, link: null, keepSession: session.id });
      return redirectTo(doneAt('password'));
    });

/** POST /account/passkeys/options */
export const passkeyOptions =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withHolder(request, deps, async ({ session, identity, mayChange }) => {
      if (!offersPasskeys(request, deps) || !mayChange) return noCeremony();
      const options = await deps.passkeys.createRegistration(request.tenant, identity);
      const { challenge } = options;
      const state = { step: 'ACCOUNT', sessionId: session.id, purpose: 'ADD_PASSKEY', challenge } as const;
      const cookie = await deps.pending.begin(request, identity.id, state);
      return cookie === null ? noCeremony() : { ...jsonResponse(options), cookies: [cookie] };
    });

/** POST /account/passkeys */
export const postPasskey =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withProof(request, deps, async (holder) => {
      const challenge = await takeChallenge(request, holder, { purpose: 'ADD_PASSKEY', ...deps });
      const name = nameOfNext(holder.identity.passkeys);
      const created = { response: parseCredential(request.form('credential')), challenge: challenge ?? '', name };
      const passkey = challenge === null ? null : await deps.passkeys.verifyRegistration(request.tenant, created);
      const context = holderContext(request, holder, { operation: 'add-passkey', now: deps.now() });
      const stored =
        passkey !== null &&
        (await deps.credentials.addPasskey(context, holder.identity.id, { passkey, link: null })) === 'STORED';
      return stored
        ? redirectTo(doneAt('passkey'))
        : refusedChange(request, holder, { error: 'The passkey could not be added. Try again.', ...deps });
    });

/** POST /account/passkeys/{id}/remove */
export const removePasskey =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withProof(request, deps, async (holder) => {
      const id = request.exchange.params['id'] ?? '';
      const passkeys = holder.identity.passkeys.filter((passkey) => passkey.id !== id);
      if (await isLastWayIn(request, holder, { left: { passkeys }, ...deps })) return refuseLast(request, holder, deps);
      const context = holderContext(request, holder, { operation: 'remove-passkey', now: deps.now() });
      const removal = { passkeyId: id, guard: guardOf(request, deps) };
      const removed = await deps.credentials.removePasskey(context, holder.identity.id, removal);
      return removed.ok ? redirectTo(doneAt('passkey-removed')) : refuseForAll(request, holder, deps);
    });

/** GET /account/authenticator: a new key each time. */
export const showAuthenticator =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withProof(request, deps, async ({ identity }) =>
      authenticatorPage(newTotpView(deps.authenticatorApp, identity), null),
    );

/** POST /account/authenticator */
export const postAuthenticator =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withProof(request, deps, async (holder) => {
      const { identity } = holder;
      const app = confirmApp(request, deps.authenticatorApp, identity);
      if (app === null) return authenticatorPage(sameTotpView(request, deps.authenticatorApp, identity), WRONG_CODE);
      const context = holderContext(request, holder, { operation: 'add-authenticator', now: deps.now() });
      await deps.credentials.setTotp(context, identity.id, { ...app, link: null });
      return identity.recoveryCodesLeft > 0 ? redirectTo(doneAt('authenticator')) : showNewCodes(request, holder, deps);
    });

/** POST /account/authenticator/remove */
export const removeAuthenticator =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withProof(request, deps, async (holder) => {
      if (await isLastWayIn(request, holder, { left: { totp: null }, ...deps }))
        return refuseLast(request, holder, deps);
      const context = holderContext(request, holder, { operation: 'remove-authenticator', now: deps.now() });
      const removed = await deps.credentials.removeTotp(context, holder.identity.id, { guard: guardOf(request, deps) });
      return removed.ok ? redirectTo(doneAt('authenticator-removed')) : refuseForAll(request, holder, deps);
    });

/** POST /account/recovery-codes */
export const postRecoveryCodes =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withProof(request, deps, async (holder) =>
      hasSecondFactor(holder.identity)
        ? showNewCodes(request, holder, deps)
        : refusedChange(request, holder, {
            error: 'Recovery codes replace a second factor: set one up first.',
            ...deps,
          }),
    );

async function showNewCodes(request: PageRequest, holder: Holder, deps: AccountDeps): Promise<PageAnswer> {
  const context = holderContext(request, holder, { operation: 'renew-recovery-codes', now: deps.now() });
  return recoveryCodesPage((await deps.recoveryCodes.replace(context, holder.identity.id)) ?? [], '/account');
}

type Left = Partial<Pick<Holder['identity'], 'passkeys' | 'totp'>>;

/** Whether the identity could not sign in any more with what is left. */
async function isLastWayIn(
  request: PageRequest,
  { identity }: Holder,
  { decide, left }: Pick<AccountDeps, 'decide'> & { readonly left: Left },
): Promise<boolean> {
  const decision = await decide(request, identity);
  return !canSignIn({ ...identity, ...left }, decision);
}

const refuseLast = (request: PageRequest, holder: Holder, deps: AccountDeps): Promise<PageAnswer> =>
  refusedChange(request, holder, { error: 'You could not sign in any more: set up another factor first.', ...deps });

/** The guard of what the holder of a session removes. */
const guardOf = ({ tenant, exchange }: PageRequest, deps: Pick<AccountDeps, 'guardOf'>): SignInGuard =>
  deps.guardOf({ caller: { tenant }, exchange });

/** The guard has refused what became the last way in of all administrators meanwhile. */
const refuseForAll = async (request: PageRequest, holder: Holder, deps: AccountDeps): Promise<PageAnswer> => {
  const error = 'No administrator could sign in any more: set up another factor, or let another administrator sign in.';
  return { ...(await refusedChange(request, holder, { error, ...deps })), status: 409 };
};

const authenticatorPage = (totp: TotpSecretView | null, error: string | null): PageAnswer =>
  enrolmentPage({
    title: 'Set up an authenticator app',
    intro: 'The new app takes the place of an earlier one.',
    totp,
    action: '/account/authenticator',
    passkeyAction: null,
    error,
    back: { href: '/account', label: 'Back to your account' },
  });
