import { html } from 'hono/html';
import type { Page } from '../../pages/page.ts';
import { errorMessage, newPasswordFields, passkeyForm } from '../../pages/parts.ts';
import type { Speech } from '../../pages/speech.ts';
import { PAGE_TEXTS } from '../../pages/texts.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

export interface LinkView {
  /** The path of the link itself. */
  readonly path: string;
  readonly username: string;
  readonly displayName: string | null;
  /** Whether the identity signs in with a password of this service. */
  readonly password: boolean;
  /** Whether an authenticator app can be set up beside another service's password. */
  readonly app: boolean;
  readonly passkey: boolean;
  readonly error: string | null;
}

/** The page of a link: it sets a password or a passkey. */
export function linkPage(
  { path, username, displayName, password, app, passkey, error }: LinkView,
  speech: Speech,
): Page {
  const { text, rich } = speech.of(SIGN_IN_TEXTS);
  const shared = speech.of(PAGE_TEXTS).text;
  return {
    title: text('link.title'),
    path,
    status: error === null ? 200 : 400,
    script: passkey,
    content: html`${errorMessage(error)}
<div class="card">
<p>${rich('link.text', {
      name: html`<strong>${displayName ?? username}</strong>`,
      username: html`<strong>${username}</strong>`,
    })}</p>
${
  password &&
  html`<form method="post" action="${path}">
<div hidden><input type="text" name="username" value="${username}" autocomplete="username" readonly></div>
${newPasswordFields(speech)}
<button class="button main full">${text('link.set-password')}</button>
</form>`
}
${password && passkey && html`<p class="or" data-needs-passkeys hidden>${shared('or')}</p>`}
${
  passkey &&
  passkeyForm(
    {
      action: `${path}/passkey`,
      options: `${path}/passkey/options`,
      ceremony: 'create',
      label: shared('passkey.create'),
      quiet: password,
    },
    speech,
  )
}
${
  app &&
  html`<form method="post" action="${path}"><button class="button full">${text('link.set-up-app')}</button></form>`
}
${!password && !app && !passkey && html`<p>${text('link.nothing')}</p>`}
${passkey && !password && !app && html`<noscript><p>${shared('passkey.script')}</p></noscript>`}
</div>`,
  };
}

/** The page of a link whose identity may not sign in. */
export function blockedLinkPage(path: string, { of }: Speech): Page {
  const { text } = of(SIGN_IN_TEXTS);
  return {
    title: text('link.blocked.title'),
    path,
    status: 403,
    content: html`<div class="card">
<p>${text('link.blocked.text')}</p>
</div>`,
  };
}
