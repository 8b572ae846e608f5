import { html } from 'hono/html';
import type { Html } from './page.ts';
import { field, passkeyForm } from './parts.ts';

/** The factors that an identity can prove on a page. */
export interface OfferedFactors {
  readonly password: boolean;
  readonly totp: boolean;
  readonly recoveryCodes: boolean;
  readonly passkeys: boolean;
}

/** A form for each factor. They go to `action`, a passkey to `/passkey` below it. */
export function factorForms(action: string, offered: OfferedFactors): Html {
  const { password, totp, recoveryCodes, passkeys } = offered;
  const hasFields = password || totp || recoveryCodes;
  return html`${
    passkeys &&
    html`${passkeyForm({
      action: `${action}/passkey`,
      options: `${action}/passkey/options`,
      ceremony: 'get',
      label: 'Use a passkey',
    })}
${hasFields ? html`<p class="or" data-needs-passkeys hidden>or</p>` : html`<noscript><p>A passkey needs JavaScript.</p></noscript>`}`
  }
${
  password &&
  html`<form method="post" action="${action}">
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: true })}
<button class="full">Continue</button>
</form>`
}
${password && totp && html`<p class="or">or</p>`}
${
  totp &&
  html`<form method="post" action="${action}">
${field({
  name: 'code',
  label: 'Code from your authenticator app',
  autocomplete: 'one-time-code',
  inputMode: 'numeric',
  hint: 'Six digits. Each code works once.',
  autofocus: !password,
})}
<button class="full${password && ' quiet'}">Continue</button>
</form>`
}
${recoveryCodes && (password || totp) && html`<p class="or">or</p>`}
${
  recoveryCodes &&
  html`<form method="post" action="${action}">
${field({
  name: 'recoveryCode',
  label: 'Recovery code',
  autocomplete: 'off',
  hint: 'One of the codes that you have kept. Each works once.',
})}
<button class="full quiet">Use a recovery code</button>
</form>`
}`;
}

/** Whether no factor is offered. */
export const offersNothing = (offered: OfferedFactors): boolean => !Object.values(offered).includes(true);
