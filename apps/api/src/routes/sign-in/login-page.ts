import type { UiMetadata } from '@access-admin/domain';
import { html } from 'hono/html';
import type { Page } from '../../pages/page.ts';
import { errorMessage, field, goodMessage, hiddenField, passkeyForm } from '../../pages/parts.ts';

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
  readonly signedOut?: boolean;
}

/** The text after every failed attempt: it tells no unknown user from a wrong password, a blocked profile or a lock. */
const FAILED =
  'You could not be signed in. Check what you typed. If it is right, wait some minutes or ask your administrator.';

export function loginPage({
  metadata,
  to,
  offersPasskeys,
  applications,
  failed = false,
  signedOut = false,
}: LoginView): Page {
  return {
    title: 'Sign in',
    status: failed ? 401 : 200,
    script: offersPasskeys,
    content: html`${goodMessage(signedOut ? 'You are signed out.' : null)}
${errorMessage(failed ? FAILED : null)}
<div class="card">
<form method="post" action="/login">
${hiddenField('to', to)}
${field({
  name: 'username',
  label: metadata.usernameLabel ?? 'Username',
  placeholder: metadata.usernameEmptyText,
  autocomplete: 'username webauthn',
  autofocus: true,
})}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button class="full">Sign in</button>
</form>
${
  applications.length > 0
    ? html`<p class="or">or</p>`
    : offersPasskeys && html`<p class="or" data-needs-passkeys hidden>or</p>`
}
${
  offersPasskeys &&
  passkeyForm({
    action: '/login/passkey',
    options: '/login/passkey/options',
    ceremony: 'get',
    label: 'Sign in with a passkey',
    quiet: true,
    fields: hiddenField('to', to),
  })
}
${applications.map(
  // A link and no form: browsers apply `form-action` of the policy to the redirect to the provider.
  ({ id, name }) =>
    html`<p><a class="button full quiet" href="/login/application/${encodeURIComponent(id)}?to=${encodeURIComponent(to)}">Sign in with ${name}</a></p>`,
)}
</div>`,
  };
}

/** The page after a right password where the auth profile demands a second factor, and none is enrolled. */
export const noSecondFactorPage = (): Page => ({
  title: 'A second factor is needed',
  status: 403,
  content: html`<div class="card">
<p>You sign in with a second factor, and none is set up yet. Ask your administrator for a link to set one up.</p>
<p><a href="/login">Back to sign-in</a></p>
</div>`,
});
