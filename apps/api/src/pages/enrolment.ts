import { html } from 'hono/html';
import type { Html, Page } from './page.ts';
import { errorMessage, field, hiddenField, passkeyForm } from './parts.ts';

/** A secret for an authenticator app. */
export interface TotpSecretView {
  /** Base32. */
  readonly secret: string;
  readonly uri: string;
  /** The URI as a QR code, an SVG element. */
  readonly qrCode: Html;
}

export interface EnrolmentView {
  readonly title: string;
  readonly intro: string;
  /** Null where none can be set up. */
  readonly totp: TotpSecretView | null;
  /** Where the code goes. */
  readonly action: string;
  /** Where a new passkey goes; null where none is offered. */
  readonly passkeyAction: string | null;
  readonly error: string | null;
  readonly back: { readonly href: string; readonly label: string };
}

/** The page that enrols an authenticator app or a passkey. */
export const enrolmentPage = ({ title, intro, totp, action, passkeyAction, error, back }: EnrolmentView): Page => ({
  title,
  status: error === null ? 200 : 400,
  script: passkeyAction !== null,
  content: html`${errorMessage(error)}
<div class="card">
<p>${intro}</p>
${
  passkeyAction !== null &&
  html`${passkeyForm({
    action: passkeyAction,
    options: `${passkeyAction}/options`,
    ceremony: 'create',
    label: 'Create a passkey',
  })}
${totp !== null && html`<p class="or" data-needs-passkeys hidden>or</p>`}`
}
${totp !== null && totpForm(totp, action)}
${totp === null && passkeyAction === null && html`<p>Nothing can be set up here: open this page outside of a frame, or ask your administrator.</p>`}
</div>
<p><a href="${back.href}">${back.label}</a></p>`,
});

const totpForm = (totp: TotpSecretView, action: string): Html => html`<h2>Authenticator app</h2>
<ol>
<li>Scan this picture with the app, or type the key into it.</li>
<li>Type the six digits that the app shows.</li>
</ol>
${totp.qrCode}
<dl>
<dt class="muted">Key</dt><dd><code>${inGroups(totp.secret)}</code></dd>
</dl>
<p><a href="${totp.uri}">Open in an app on this device</a></p>
<form method="post" action="${action}">
${hiddenField('secret', totp.secret)}
${field({ name: 'code', label: 'Code from your authenticator app', autocomplete: 'one-time-code', inputMode: 'numeric' })}
<button class="full">Add the app</button>
</form>`;

/** Groups of four are read and typed with fewer mistakes. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** The page that shows new recovery codes, once. */
export const recoveryCodesPage = (codes: readonly string[], to: string): Page => ({
  title: 'Your recovery codes',
  wide: true,
  content: html`<div class="card">
<p>Keep these codes in a safe place. Each signs you in once if your other factor is lost. They are not shown again, and earlier codes have no effect any more.</p>
<ul class="codes" aria-label="Recovery codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p><a class="button" href="${to}">I have kept them</a></p>
</div>`,
});
