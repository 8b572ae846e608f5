import type { SignInFactor, SignInIdentity } from '@access-admin/store';
import type { PageContext, PageHandler } from '../../sign-in/pages/context.ts';
import { FactorForms, type OfferedFactors, offersNothing } from '../../sign-in/pages/factor-forms.tsx';
import { redirectTo, renderPage } from '../../sign-in/pages/layout.tsx';
import { ownPath } from '../../sign-in/pages/own-path.ts';
import { ErrorMessage, HiddenField } from '../../sign-in/pages/parts.tsx';
import { textOf } from '../../sign-in/pages/speech.ts';
import { PAGE_TEXTS } from '../../sign-in/pages/texts.ts';
import { secondFactorsOf } from '../../sign-in-steps/factors.ts';
import { noCeremony, offersPasskeys, placeOf } from '../../sign-in-steps/passkey-ceremony.ts';
import { type AccountDeps, type Holder, withHolder } from './deps.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

const ACCOUNT = '/account';

/** Where a form leads to that was confirmed: an own path, such as that of the console that has asked for a proof. */
const toOf = (c: PageContext): string => ownPath(c.get('form')('to') || ACCOUNT);

/** GET /account/confirm */
export const showConfirm =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withHolder(c, deps, async ({ identity }) =>
      pageOf(c, identity, { error: null, to: ownPath(c.req.query('to') ?? ACCOUNT), ...deps }),
    );

/** POST /account/confirm: any one factor. Wrong ones count for locks as those of a sign-in. */
export const postConfirm =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withHolder(c, deps, (holder) =>
      deps.atAnswerStep(async () => {
        const { identity } = holder;
        const factor =
          c.get('form')('password') === ''
            ? ((await deps.prove.secondFactor(c, identity))?.factor ?? null)
            : await deps.prove.password(c, identity);
        if (factor === null) await deps.journal.failed(c, identity);
        const { decision } = await deps.decide(c, identity);
        return factor === null || decision === 'BLOCK'
          ? pageOf(c, identity, { error: textOf(c, PAGE_TEXTS, 'factor.wrong'), to: toOf(c), ...deps })
          : confirmed(c, holder, { factor, ...deps });
      }),
    );

/** POST /account/confirm/passkey/options */
export const confirmPasskeyOptions =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withHolder(c, deps, async ({ session, identity }) => {
      if (!offersPasskeys(c, deps) || identity.passkeys.length === 0) return noCeremony(c);
      const options = await deps.passkeys.createAuthentication(placeOf(c), identity);
      const { challenge } = options;
      const state = { step: 'ACCOUNT', sessionId: session.id, purpose: 'CONFIRM', challenge } as const;
      const begun = await deps.pending.begin(c, identity.id, state);
      return begun === null ? noCeremony(c) : c.json(options);
    });

/** POST /account/confirm/passkey */
export const postConfirmPasskey =
  (deps: AccountDeps): PageHandler =>
  (c) =>
    withHolder(c, deps, async (holder) => {
      const challenge = await takeChallenge(c, holder, { purpose: 'CONFIRM', ...deps });
      const { identity } = holder;
      const proven = challenge === null ? null : await deps.prove.passkey(c, challenge);
      return proven?.identity.id === identity.id
        ? confirmed(c, holder, { factor: 'PASSKEY', ...deps })
        : pageOf(c, identity, { error: textOf(c, PAGE_TEXTS, 'factor.wrong'), to: toOf(c), ...deps });
    });

/** The challenge of a ceremony of this session, which is answered once. */
export async function takeChallenge(
  c: PageContext,
  { session }: Holder,
  { purpose, ...deps }: AccountDeps & { readonly purpose: 'CONFIRM' | 'ADD_PASSKEY' },
): Promise<string | null> {
  const found = await deps.pending.find(c, 'ACCOUNT');
  if (found === null || !offersPasskeys(c, deps)) return null;
  const { sessionId, purpose: begunFor, challenge } = found.state;
  if (sessionId !== session.id || begunFor !== purpose) return null;
  return (await deps.pending.take(c, found)) ? challenge : null;
}

async function confirmed(
  c: PageContext,
  { live }: Holder,
  { factor, browserSessions }: AccountDeps & { readonly factor: SignInFactor },
): Promise<Response> {
  await browserSessions.prove(live, factor);
  return redirectTo(c, toOf(c));
}

function pageOf(
  c: PageContext,
  identity: SignInIdentity,
  { error, to, ...deps }: AccountDeps & { readonly error: string | null; readonly to: string },
): Response | Promise<Response> {
  const offered: OfferedFactors = {
    ...secondFactorsOf(identity, offersPasskeys(c, deps)),
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
