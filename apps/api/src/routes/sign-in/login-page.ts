import type { UiMetadata } from '@access-admin/domain';
import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
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
  /** Passkeys and applications are not offered in a frame. */
  readonly isFramed: boolean;
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
  isFramed,
  applications,
  failed = false,
  signedOut = false,
}: LoginView): Page {
  return {
    title: 'Sign in',
    status: failed ? 401 : 200,
    script: !isFramed,
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
  !isFramed &&
  html`${applications.length > 0 ? html`<p class="or">or</p>` : html`<p class="or" data-needs-passkeys hidden>or</p>`}
${passkeyForm({
  action: '/login/passkey',
  options: '/login/passkey/options',
  ceremony: 'get',
  label: 'Sign in with a passkey',
  quiet: true,
  fields: hiddenField('to', to),
})}
${applications.map(
  ({ id, name }) => html`<form method="get" action="/login/application/${id}">
${hiddenField('to', to)}
<button class="full quiet">Sign in with ${name}</button>
</form>`,
)}`
}
</div>`,
  };
}
