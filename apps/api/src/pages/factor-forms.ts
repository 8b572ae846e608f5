import { LOGIN_TEXTS } from '@access-admin/languages';
import { html } from 'hono/html';
import type { Html, HtmlPart } from './page.ts';
import { field, passkeyForm } from './parts.ts';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

/** The factors that an identity can prove on a page. */
export interface OfferedFactors {
  readonly password: boolean;
  readonly totp: boolean;
  readonly recoveryCodes: boolean;
  readonly passkeys: boolean;
}

/** The target of factor forms: a path, or for a passkey `/passkey` below it, with the same query. */
export interface FactorTarget {
  readonly path: string;
  /** With the question mark, or empty. */
  readonly query: string;
}

/** One form per factor, with extra fields. */
export function factorForms(
  { path, query }: FactorTarget,
  offered: OfferedFactors,
  speech: Speech,
  fields: HtmlPart = null,
): Html {
  const action = `${path}${query}`;
  const { text } = speech.of(PAGE_TEXTS);
  const { password, totp, recoveryCodes, passkeys } = offered;
  const hasFields = password || totp || recoveryCodes;
  return html`${
    passkeys &&
    html`${passkeyForm(
      {
        action: `${path}/passkey${query}`,
        options: `${path}/passkey/options${query}`,
        ceremony: 'get',
        label: text('passkey.use'),
        fields,
      },
      speech,
    )}
${hasFields ? html`<p class="or" data-needs-passkeys hidden>${text('or')}</p>` : html`<noscript><p>${text('passkey.script')}</p></noscript>`}`
  }
${
  password &&
  html`<form method="post" action="${action}">${fields}
${field({ name: 'password', label: speech.of(LOGIN_TEXTS).text('password'), type: 'password', autocomplete: 'current-password', autofocus: true })}
<button class="button main full">${text('continue')}</button>
</form>`
}
${password && totp && html`<p class="or">${text('or')}</p>`}
${
  totp &&
  html`<form method="post" action="${action}">${fields}
${field({
  name: 'code',
  label: text('code'),
  autocomplete: 'one-time-code',
  inputMode: 'numeric',
  hint: text('code.hint'),
  autofocus: !password,
})}
<button class="button${!password && ' main'} full">${text('continue')}</button>
</form>`
}
${recoveryCodes && (password || totp) && html`<p class="or">${text('or')}</p>`}
${
  recoveryCodes &&
  html`<form method="post" action="${action}">${fields}
${field({
  name: 'recoveryCode',
  label: text('recovery-code'),
  autocomplete: 'off',
  hint: text('recovery-code.hint'),
})}
<button class="button full">${text('recovery-code.use')}</button>
</form>`
}`;
}

/** Whether no factor is offered. */
export const offersNothing = (offered: OfferedFactors): boolean => !Object.values(offered).includes(true);
