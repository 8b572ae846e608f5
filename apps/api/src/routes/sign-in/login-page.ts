import type { UiMetadata } from '@access-admin/domain';
import { LOGIN_TEXTS } from '@access-admin/languages';
import { html } from 'hono/html';
import type { Page } from '../../pages/page.ts';
import { errorMessage, field, goodMessage, hiddenField, passkeyForm } from '../../pages/parts.ts';
import type { Speech } from '../../pages/speech.ts';
import { PAGE_TEXTS } from '../../pages/texts.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

/** An application that verifies users of the tenant, reached by a button. */
export interface OfferedApplication {
  readonly id: string;
  readonly name: string;
}

/** What the sign-in page shows. */
export interface LoginView {
  readonly metadata: UiMetadata;
  /** Where a sign-in leads to, an own path. */
  readonly to: string;
  readonly offersPasskeys: boolean;
  /** None in a frame. */
  readonly applications: readonly OfferedApplication[];
  readonly failed?: boolean;
  /** What was typed before; empty at first. */
  readonly username?: string;
  readonly signedOut?: boolean;
}

/** The text after any failed attempt. It is one text, so that it does not reveal whether the user is unknown, the password wrong, the profile blocked or the account locked. */
export function loginPage(
  { metadata, to, offersPasskeys, applications, failed = false, username = '', signedOut = false }: LoginView,
  speech: Speech,
): Page {
  const { text } = speech.of(SIGN_IN_TEXTS);
  const form = speech.of(LOGIN_TEXTS).text;
  const shared = speech.of(PAGE_TEXTS).text;
  return {
    title: form('title'),
    path: `/login?to=${encodeURIComponent(to)}`,
    status: failed ? 401 : 200,
    script: offersPasskeys,
    content: html`${goodMessage(signedOut ? text('signed-out') : null)}
${errorMessage(failed ? text('failed') : null)}
<div class="card">
<form method="post" action="/login">
${hiddenField('to', to)}
${field({
  name: 'username',
  label: metadata.usernameLabel ?? form('username'),
  placeholder: metadata.usernameEmptyText,
  autocomplete: 'username webauthn',
  value: username,
  autofocus: username === '',
})}
${field({
  name: 'password',
  label: form('password'),
  type: 'password',
  autocomplete: 'current-password',
  autofocus: username !== '',
})}
<button class="button main full">${form('submit')}</button>
</form>
${
  applications.length > 0
    ? html`<p class="or">${shared('or')}</p>`
    : offersPasskeys && html`<p class="or" data-needs-passkeys hidden>${shared('or')}</p>`
}
${
  offersPasskeys &&
  passkeyForm(
    {
      action: '/login/passkey',
      options: '/login/passkey/options',
      ceremony: 'get',
      label: text('with-passkey'),
      quiet: true,
      fields: hiddenField('to', to),
    },
    speech,
  )
}
${applications.map(
  // A link and no form: browsers apply `form-action` of the policy to the redirect to the provider.
  ({ id, name }) =>
    html`<p><a class="button full" href="/login/application/${encodeURIComponent(id)}?to=${encodeURIComponent(to)}">${text('with-application', { name })}</a></p>`,
)}
</div>`,
  };
}

/** The page after a right password where the auth profile demands a second factor, and none is enrolled. */
export function noSecondFactorPage({ of }: Speech): Page {
  const { text } = of(SIGN_IN_TEXTS);
  return {
    title: text('no-second-factor.title'),
    path: '/login',
    status: 403,
    content: html`<div class="card">
<p>${text('no-second-factor.text')}</p>
<p><a href="/login">${of(PAGE_TEXTS).text('to-sign-in')}</a></p>
</div>`,
  };
}
