import type { SignInFactor } from '@access-admin/store';
import { Hono } from 'hono';
import type { PageEnv } from '../env.ts';
import { noCeremony, offersPasskeys, placeOf, provePasskey } from '../sign-in/factors/passkey.ts';
import { secondFactorsOf } from '../sign-in/flow.ts';
import { page } from '../sign-in/mount.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import { FactorForms, type OfferedFactors, offersNothing } from '../sign-in/pages/factor-forms.tsx';
import { redirectTo, renderPage } from '../sign-in/pages/layout.tsx';
import { ownPath } from '../sign-in/pages/own-path.ts';
import { ErrorMessage, HiddenField } from '../sign-in/pages/parts.tsx';
import { textOf } from '../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../sign-in/pages/texts.ts';
import { provePassword, proveSecondFactor } from '../sign-in/prove.ts';
import { type Holder, withHolder } from './holder.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

const ACCOUNT = '/account';

/** Where to go after the confirmation: a path of this service, such as the console page that asked for it. */
const toOf = (c: PageContext): string => ownPath(c.get('form')('to') || ACCOUNT);

/** Asks the holder of a session for a proof of any one factor. */
export const confirm = () =>
  new Hono<PageEnv>()
    .get('/account/confirm', ...page('show-confirm'), (c) =>
      withHolder(c, (holder) => show(c, holder, { error: null, to: ownPath(c.req.query('to') ?? ACCOUNT) })),
    )
    // Wrong factors count for locks as those of a sign-in.
    .post('/account/confirm', ...page('confirm'), (c) =>
      withHolder(c, (holder) =>
        c.env.services.signIn.atAnswerStep(async () => {
          const { decide, signIn } = c.env.services;
          const { identity } = holder;
          const factor =
            c.get('form')('password') === ''
              ? ((await proveSecondFactor(c, identity))?.factor ?? null)
              : await provePassword(c, identity);
          if (factor === null) await signIn.journal.failed(c, identity);
          const { decision } = await decide(identity, c.get('source'));
          return factor === null || decision === 'BLOCK' ? refuse(c, holder) : confirmed(c, holder, factor);
        }),
      ),
    )
    .post('/account/confirm/passkey/options', ...page('confirm-passkey-options'), (c) =>
      withHolder(c, async ({ session, identity }) => {
        const { passkeys, pending } = c.env.services.signIn;
        if (!offersPasskeys(c) || identity.passkeys.length === 0) return noCeremony(c);
        const options = await passkeys.createAuthentication(placeOf(c), identity);
        const { challenge } = options;
        const state = { step: 'ACCOUNT', sessionId: session.id, purpose: 'CONFIRM', challenge } as const;
        const begun = await pending.begin(c, identity.id, state);
        return begun === null ? noCeremony(c) : c.json(options);
      }),
    )
    .post('/account/confirm/passkey', ...page('confirm-passkey'), (c) =>
      withHolder(c, async (holder) => {
        const challenge = await takeChallenge(c, holder, 'CONFIRM');
        const proven = challenge === null ? null : await provePasskey(c, challenge);
        return proven?.identity.id === holder.identity.id ? confirmed(c, holder, 'PASSKEY') : refuse(c, holder);
      }),
    );

/** The challenge of a ceremony of this session, which is answered once. */
export async function takeChallenge(
  c: PageContext,
  { session }: Holder,
  purpose: 'CONFIRM' | 'ADD_PASSKEY',
): Promise<string | null> {
  const { pending } = c.env.services.signIn;
  const found = await pending.find(c, 'ACCOUNT');
  if (found === null || !offersPasskeys(c)) return null;
  const { sessionId, purpose: begunFor, challenge } = found.state;
  if (sessionId !== session.id || begunFor !== purpose) return null;
  return (await pending.take(c, found)) ? challenge : null;
}

async function confirmed(c: PageContext, { live }: Holder, factor: SignInFactor): Promise<Response> {
  await c.env.services.sessions.prove(live, factor);
  return redirectTo(c, toOf(c));
}

const refuse = (c: PageContext, holder: Holder) =>
  show(c, holder, { error: textOf(c, PAGE_TEXTS, 'factor.wrong'), to: toOf(c) });

function show(
  c: PageContext,
  { identity }: Holder,
  { error, to }: { readonly error: string | null; readonly to: string },
): Response | Promise<Response> {
  const offered: OfferedFactors = {
    ...secondFactorsOf(identity, offersPasskeys(c)),
    password: identity.password !== null,
  };
  const speech = c.get('speech');
  const { text } = speech.of(ACCOUNT_TEXTS);
  return renderPage(c, {
    title: text('confirm'),
    path: `/account/confirm?to=${encodeURIComponent(to)}`,
    status: error === null ? 200 : 401,
    script: offered.passkeys,
    content: (
      <>
        <ErrorMessage text={error} />
        <div class="card">
          <FactorForms path="/account/confirm" query="" offered={offered} speech={speech}>
            <HiddenField name="to" value={to} />
          </FactorForms>
          {offersNothing(offered) && <p>{text('confirm.nothing')}</p>}
        </div>
        <p>
          <a href="/account">{speech.of(PAGE_TEXTS).text('to-account')}</a>
        </p>
      </>
    ),
  });
}
