import { html } from 'hono/html';
import type { Page } from '../../pages/page.ts';
import { errorMessage, newPasswordFields, passkeyForm } from '../../pages/parts.ts';

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
export const linkPage = ({ path, username, displayName, password, app, passkey, error }: LinkView): Page => ({
  title: 'Set up your sign-in',
  status: error === null ? 200 : 400,
  script: passkey,
  content: html`${errorMessage(error)}
<div class="card">
<p>This link is for <strong>${displayName ?? username}</strong> (username <strong>${username}</strong>). It works once.</p>
${
  password &&
  html`<form method="post" action="${path}">
<div hidden><input type="text" name="username" value="${username}" autocomplete="username" readonly></div>
${newPasswordFields()}
<button class="full">Set password</button>
</form>`
}
${password && passkey && html`<p class="or" data-needs-passkeys hidden>or</p>`}
${
  passkey &&
  passkeyForm({
    action: `${path}/passkey`,
    options: `${path}/passkey/options`,
    ceremony: 'create',
    label: 'Create a passkey',
    quiet: password,
  })
}
${
  app &&
  html`<form method="post" action="${path}"><button class="full quiet">Set up an authenticator app</button></form>`
}
${!password && !app && !passkey && html`<p>You sign in with another service of your organisation. There is nothing to set up here.</p>`}
${passkey && !password && !app && html`<noscript><p>A passkey needs JavaScript.</p></noscript>`}
</div>`,
});

/** The page of a link whose identity may not sign in. */
export const blockedLinkPage = (): Page => ({
  title: 'You cannot sign in at the moment',
  status: 403,
  content: html`<div class="card">
<p>Wait some minutes, or ask your administrator. The link can still be used until it expires.</p>
</div>`,
});
