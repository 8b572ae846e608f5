import type { Passkey, SignInIdentity } from '@access-admin/store';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import { SIGN_IN_ACTOR, selfContext } from './enrol.ts';
import { noCeremony, offersPasskeys, placeOf, verifyNewPasskey } from './factors/passkey.ts';
import { type ConfirmedApp, confirmApp, newSecret, sentSecret } from './factors/totp.ts';
import { advance } from './flow.ts';
import { page } from './mount.ts';
import type { PageContext } from './pages/context.ts';
import { enrolmentPage, recoveryCodesPage, type TotpSecretView } from './pages/enrolment.tsx';
import { redirectTo, renderPage } from './pages/layout.tsx';
import { textOf } from './pages/speech.ts';
import { PAGE_TEXTS, SIGN_IN_TEXTS } from './pages/texts.ts';
import { type ReadPending, stepUrl } from './pending.ts';
import { failedLogin } from './steps.ts';

/** Enrols a second factor after a link, where one is needed and none is enrolled. */
export const enrolment = () =>
  new Hono<PageEnv>()
    .get('/login/enrolment', ...page('show-enrolment'), (c) =>
      withPending(c, (found) => show(c, found, newSecret(c, found.identity))),
    )
    .post('/login/enrolment', ...page('enrol-authenticator'), (c) =>
      withPending(c, (found) => {
        const app = confirmApp(c, found.identity);
        if (app !== null) return finish(c, found, { factor: 'TOTP', app });
        return show(c, found, sentSecret(c, found.identity), textOf(c, PAGE_TEXTS, 'code.wrong'));
      }),
    )
    .post('/login/enrolment/passkey/options', ...page('enrolment-options'), (c) =>
      withPending(c, async ({ pending, identity }) => {
        const { signIn } = c.env.services;
        if (!offersPasskeys(c)) return noCeremony(c);
        const options = await signIn.passkeys.createRegistration(placeOf(c), identity);
        const state = { ...pending.state, challenge: options.challenge };
        return (await signIn.pending.update(c, pending, state)) ? c.json(options) : noCeremony(c);
      }),
    )
    .post('/login/enrolment/passkey', ...page('enrol-passkey'), (c) =>
      withPending(c, async (found) => {
        const { challenge } = found.pending.state;
        const mayCreate = challenge !== null && offersPasskeys(c);
        const passkey = mayCreate ? await verifyNewPasskey(c, found.identity, challenge) : null;
        if (passkey !== null) return finish(c, found, { factor: 'PASSKEY', passkey });
        return show(c, found, newSecret(c, found.identity), textOf(c, PAGE_TEXTS, 'passkey.not-created'));
      }),
    );

interface Found {
  readonly pending: ReadPending<'ENROLMENT'>;
  readonly identity: SignInIdentity;
}

async function withPending(c: PageContext, handle: (found: Found) => Response | Promise<Response>): Promise<Response> {
  const { decide, store, signIn } = c.env.services;
  const pending = await signIn.pending.find(c, 'ENROLMENT');
  const identity =
    pending?.identityId == null ? null : await store.credentials.findIdentity(c.get('tenant'), pending.identityId);
  if (pending === null || identity === null) return redirectTo(c, '/login');
  const { decision } = await decide(identity, c.get('source'));
  if (decision !== 'BLOCK') return handle({ pending, identity });
  await signIn.pending.take(c, pending);
  return failedLogin(c, pending.state.to);
}

type NewFactor =
  | { readonly factor: 'TOTP'; readonly app: ConfirmedApp }
  | { readonly factor: 'PASSKEY'; readonly passkey: Passkey };

/** Stores the factor and new recovery codes, begins the session and shows the codes. */
async function finish(c: PageContext, { pending, identity }: Found, added: NewFactor): Promise<Response> {
  const { store, sessions, signIn, system } = c.env.services;
  if (!(await signIn.pending.take(c, pending))) return redirectTo(c, '/login');
  const identityId = identity.id;
  const context = (operation: string) =>
    selfContext(c, { clientId: SIGN_IN_ACTOR, identityId, operation, now: system.now() });
  const { usedLink } = pending.provenance;
  const by = { link: null, usedLink };
  const stored =
    added.factor === 'TOTP'
      ? await store.credentials.setTotp(context('add-authenticator'), identityId, { ...added.app, ...by })
      : await store.credentials.addPasskey(context('add-passkey'), identityId, { passkey: added.passkey, ...by });
  const { to } = pending.state;
  if (stored !== 'STORED') return failedLogin(c, to);
  const codes = await signIn.recoveryCodes.replace(context('renew-recovery-codes'), identityId, usedLink);
  const step = advance(pending, { type: 'SECOND_FACTOR_ENROLLED', factor: added.factor });
  const isIn = step.next === 'SESSION' && (await sessions.begin(c, step.signIn));
  return isIn ? renderPage(c, recoveryCodesPage(codes ?? [], to, c.get('speech'))) : failedLogin(c, to);
}

function show(
  c: PageContext,
  { pending: { id } }: Found,
  totp: TotpSecretView | null,
  error: string | null = null,
): Response | Promise<Response> {
  const speech = c.get('speech');
  const { text } = speech.of(SIGN_IN_TEXTS);
  const passkey = {
    action: stepUrl('/login/enrolment/passkey', id),
    options: stepUrl('/login/enrolment/passkey/options', id),
  };
  const view = {
    title: text('enrolment.title'),
    intro: text('enrolment.text'),
    totp,
    action: stepUrl('/login/enrolment', id),
    passkey: offersPasskeys(c) ? passkey : null,
    error,
    back: { href: '/login', label: textOf(c, PAGE_TEXTS, 'to-sign-in') },
  };
  return renderPage(c, enrolmentPage(view, speech));
}
