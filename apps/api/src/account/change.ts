import { fail, ok } from '@access-admin/domain';
import type { CredentialRef, Enrolment, SignInIdentity } from '@access-admin/store';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import { noCeremony, offersPasskeys, placeOf, verifyNewPasskey } from '../sign-in/factors/passkey.ts';
import { newPasswordOf } from '../sign-in/factors/password.ts';
import { confirmApp, newSecret, sentSecret } from '../sign-in/factors/totp.ts';
import { canSignIn, hasSecondFactor } from '../sign-in/flow.ts';
import { page } from '../sign-in/mount.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import { enrolmentPage, recoveryCodesPage, type TotpSecretView } from '../sign-in/pages/enrolment.tsx';
import { redirectTo, renderPage } from '../sign-in/pages/layout.tsx';
import { textOf } from '../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../sign-in/pages/texts.ts';
import { takeChallenge } from './confirm.tsx';
import { type Holder, holderContext, usesOwnPassword, withHolder, withProof } from './holder.ts';
import { type Done, doneAt, showAccount } from './page.tsx';
import { ACCOUNT_TEXTS } from './texts.ts';

/** Changes one's own factors. */
export const change = () =>
  new Hono<PageEnv>()
    .post('/account/password', ...page('change-password'), (c) =>
      withProof(c, async (holder) => {
        const { decide, store, signIn, clientAddress } = c.env.services;
        const { identity, session } = holder;
        const refuse = (error: string) => showAccount(c, holder, { error });
        if (!usesOwnPassword(await decide(identity, c.get('source'))))
          return refuse(textOf(c, ACCOUNT_TEXTS, 'password.elsewhere'));
        const password = newPasswordOf(c, identity);
        if (!password.ok) return refuse(password.failure);
        const hash = await signIn.passwords.hash({ password: password.value, address: clientAddress(c) });
        const stored = await store.credentials.setPassword(holderContext(c, holder, 'set-password'), identity.id, {
          hash,
          keepSession: session.id,
          ...enrolledBy(holder),
        });
        return stored === 'STORED' ? redirectTo(c, doneAt('password')) : refuse(textOf(c, ACCOUNT_TEXTS, 'not-stored'));
      }),
    )
    .post('/account/passkeys/options', ...page('add-passkey-options'), (c) =>
      withHolder(c, async ({ session, identity, mayChange }) => {
        const { passkeys, pending } = c.env.services.signIn;
        if (!offersPasskeys(c) || !mayChange) return noCeremony(c);
        const options = await passkeys.createRegistration(placeOf(c), identity);
        const { challenge } = options;
        const state = { step: 'ACCOUNT', sessionId: session.id, purpose: 'ADD_PASSKEY', challenge } as const;
        const begun = await pending.begin(c, identity.id, state);
        return begun === null ? noCeremony(c) : c.json(options);
      }),
    )
    .post('/account/passkeys', ...page('add-passkey'), (c) =>
      withProof(c, async (holder) => {
        const { credentials } = c.env.services.store;
        const { identity } = holder;
        const challenge = await takeChallenge(c, holder, 'ADD_PASSKEY');
        const passkey = challenge === null ? null : await verifyNewPasskey(c, identity, challenge);
        const context = holderContext(c, holder, 'add-passkey');
        const isStored =
          passkey !== null &&
          (await credentials.addPasskey(context, identity.id, { passkey, ...enrolledBy(holder) })) === 'STORED';
        return isStored
          ? redirectTo(c, doneAt('passkey'))
          : showAccount(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'passkeys.not-added') });
      }),
    )
    .post('/account/passkeys/:id/remove', ...page('remove-passkey'), (c) =>
      withProof(c, (holder) => {
        const id = c.req.param('id');
        return removeOwn(c, holder, {
          operation: 'remove-passkey',
          credential: { type: 'PASSKEY', id },
          leftOf: ({ passkeys }) => ({ passkeys: passkeys.filter((passkey) => passkey.id !== id) }),
          done: 'passkey-removed',
        });
      }),
    )
    // A new key each time.
    .get('/account/authenticator', ...page('show-authenticator'), (c) =>
      withProof(c, ({ identity }) => showAuthenticator(c, newSecret(c, identity))),
    )
    .post('/account/authenticator', ...page('add-authenticator'), (c) =>
      withProof(c, async (holder) => {
        const { identity } = holder;
        const app = confirmApp(c, identity);
        if (app === null) return showAuthenticator(c, sentSecret(c, identity), textOf(c, PAGE_TEXTS, 'code.wrong'));
        const context = holderContext(c, holder, 'add-authenticator');
        const added = { ...app, ...enrolledBy(holder) };
        if ((await c.env.services.store.credentials.setTotp(context, identity.id, added)) !== 'STORED')
          return showAccount(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'not-stored') });
        return identity.recoveryCodes === null ? showNewCodes(c, holder) : redirectTo(c, doneAt('authenticator'));
      }),
    )
    .post('/account/authenticator/remove', ...page('remove-authenticator'), (c) =>
      withProof(c, (holder) =>
        removeOwn(c, holder, {
          operation: 'remove-authenticator',
          credential: { type: 'TOTP' },
          leftOf: () => ({ totp: null }),
          done: 'authenticator-removed',
        }),
      ),
    )
    .post('/account/recovery-codes', ...page('renew-recovery-codes'), (c) =>
      withProof(c, (holder) =>
        hasSecondFactor(holder.identity)
          ? showNewCodes(c, holder)
          : showAccount(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'codes.no-factor') }),
      ),
    );

/** A factor that is set in a session derives from the same used link as the session. */
const enrolledBy = ({ session: { usedLink = null } }: Holder): Enrolment => ({ link: null, usedLink });

async function showNewCodes(c: PageContext, holder: Holder): Promise<Response> {
  const { recoveryCodes } = c.env.services.signIn;
  const context = holderContext(c, holder, 'renew-recovery-codes');
  const codes = await recoveryCodes.replace(context, holder.identity.id, enrolledBy(holder).usedLink);
  return renderPage(c, recoveryCodesPage(codes ?? [], '/account', c.get('speech')));
}

interface OwnRemoval {
  readonly operation: string;
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
  { operation, credential, leftOf, done }: OwnRemoval,
): Promise<Response> {
  const { decide, guardOf, store } = c.env.services;
  const decision = await decide(holder.identity, c.get('source'));
  const context = holderContext(c, holder, operation);
  const removed = await store.credentials.removeOne<typeof LAST_WAY_IN>(context, holder.identity.id, {
    credential,
    decide: (identity) => (canSignIn({ ...identity, ...leftOf(identity) }, decision) ? ok(null) : fail(LAST_WAY_IN)),
    guard: guardOf({ caller: { tenant: c.get('tenant') }, c }),
    endsSessions: false,
  });
  if (removed.ok) return redirectTo(c, doneAt(done));
  if (removed.failure.type === 'LastWayIn')
    return showAccount(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'last.own') });
  // It became the last way in of all administrators meanwhile.
  return showAccount(c, holder, { error: textOf(c, ACCOUNT_TEXTS, 'last.administrator'), status: 409 });
}

function showAuthenticator(c: PageContext, totp: TotpSecretView | null, error: string | null = null) {
  const { text } = c.get('speech').of(ACCOUNT_TEXTS);
  const view = {
    title: text('app.title'),
    intro: text('app.text'),
    totp,
    action: '/account/authenticator',
    passkey: null,
    error,
    back: { href: '/account', label: textOf(c, PAGE_TEXTS, 'to-account') },
  };
  return renderPage(c, enrolmentPage(view, c.get('speech')));
}
