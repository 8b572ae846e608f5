import type { SignInFactor, SignInIdentity } from '@access-admin/store';
import { jsonResponse } from '../../http/exchange.ts';
import { factorForms, type OfferedFactors, offersNothing } from '../../pages/factor-forms.ts';
import { html } from '../../pages/html.ts';
import { redirectTo } from '../../pages/layout.ts';
import type { PageAnswer, PageHandler, PageRequest } from '../../pages/mount.ts';
import { errorMessage } from '../../pages/parts.ts';
import { secondFactorsOf } from '../../sign-in-steps/factors.ts';
import { noCeremony, offersPasskeys } from '../../sign-in-steps/passkey-ceremony.ts';
import { type AccountDeps, type Holder, withHolder } from './deps.ts';

/** GET /account/confirm */
export const showConfirm =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withHolder(request, deps, async ({ identity }) => pageOf(request, identity, { error: null, ...deps }));

/** POST /account/confirm: any one factor. Wrong ones count for locks as those of a sign-in. */
export const postConfirm =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withHolder(request, deps, (holder) =>
      deps.atAnswerStep(async () => {
        const { identity } = holder;
        const factor =
          request.form('password') === ''
            ? await deps.prove.secondFactor(request, identity)
            : await deps.prove.password(request, identity);
        if (factor === null) await deps.journal.failed(request, identity);
        const { decision } = await deps.decide(request, identity);
        return factor === null || decision === 'BLOCK'
          ? pageOf(request, identity, { error: WRONG, ...deps })
          : confirmed(holder, { factor, ...deps });
      }),
    );

/** POST /account/confirm/passkey/options */
export const confirmPasskeyOptions =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withHolder(request, deps, async ({ session, identity }) => {
      if (!offersPasskeys(request, deps) || identity.passkeys.length === 0) return noCeremony();
      const options = await deps.passkeys.createAuthentication(request, identity);
      const { challenge } = options;
      const state = { step: 'ACCOUNT', sessionId: session.id, purpose: 'CONFIRM', challenge } as const;
      const cookie = await deps.pending.begin(request, identity.id, state);
      return cookie === null ? noCeremony() : { ...jsonResponse(options), cookies: [cookie] };
    });

/** POST /account/confirm/passkey */
export const postConfirmPasskey =
  (deps: AccountDeps): PageHandler =>
  (request) =>
    withHolder(request, deps, async (holder) => {
      const challenge = await takeChallenge(request, holder, { purpose: 'CONFIRM', ...deps });
      const { identity } = holder;
      const proven = challenge === null ? null : await deps.prove.passkey(request, challenge);
      return proven?.id === identity.id
        ? confirmed(holder, { factor: 'PASSKEY', ...deps })
        : pageOf(request, identity, { error: WRONG, ...deps });
    });

const WRONG = 'This did not work. Check it and try again; each code works once.';

/** The challenge of a ceremony of this session, which is answered once. */
export async function takeChallenge(
  request: PageRequest,
  { session }: Holder,
  { purpose, ...deps }: AccountDeps & { readonly purpose: 'CONFIRM' | 'ADD_PASSKEY' },
): Promise<string | null> {
  const found = await deps.pending.find(request, 'ACCOUNT');
  if (found === null || !offersPasskeys(request, deps)) return null;
  const { sessionId, purpose: begunFor, challenge } = found.state;
  if (sessionId !== session.id || begunFor !== purpose) return null;
  return (await deps.pending.take(request, found)) ? challenge : null;
}

async function confirmed(
  { live }: Holder,
  { factor, browserSessions }: AccountDeps & { readonly factor: SignInFactor },
): Promise<PageAnswer> {
  await browserSessions.prove(live, factor);
  return redirectTo('/account');
}

function pageOf(
  request: PageRequest,
  identity: SignInIdentity,
  { error, ...deps }: AccountDeps & { readonly error: string | null },
): PageAnswer {
  const offered: OfferedFactors = {
    ...secondFactorsOf(identity, offersPasskeys(request, deps)),
    password: identity.password !== null,
  };
  return {
    title: 'Confirm that it is you',
    status: error === null ? 200 : 401,
    script: offered.passkeys,
    content: html`${errorMessage(error)}
<div class="card">
${factorForms('/account/confirm', offered)}
${offersNothing(offered) && html`<p>There is nothing to confirm with here. Sign out and sign in again: this counts too.</p>`}
</div>
<p><a href="/account">Back to your account</a></p>`,
  };
}
