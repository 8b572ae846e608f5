import { html } from 'hono/html';
import type { HtmlPart, Page } from '../../pages/page.ts';
import { errorMessage, goodMessage, newPasswordFields, passkeyForm } from '../../pages/parts.ts';

/** A passkey of the identity. */
export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string | null;
}

/** A session of the identity. */
export interface SessionView {
  readonly id: string;
  readonly created: string;
  readonly active: string;
  readonly isCurrent: boolean;
}

export interface AccountView {
  readonly username: string;
  readonly displayName: string | null;
  /** Whether a factor was proven within the last minutes, so that changes are offered. */
  readonly mayChange: boolean;
  /** When the password was set; null without one; undefined where the identity has none of this service. */
  readonly passwordChanged: string | null | undefined;
  readonly passkeys: readonly PasskeyView[];
  readonly offersPasskeys: boolean;
  readonly hasTotp: boolean;
  readonly recoveryCodesLeft: number;
  readonly sessions: readonly SessionView[];
  readonly done: string | null;
  readonly error: string | null;
  /** The status of a refused change; 400 if left out. */
  readonly status?: 409;
}

/** The page of one's own factors and sessions. */
export const accountPage = (view: AccountView): Page => ({
  title: 'Your account',
  wide: true,
  status: view.error === null ? 200 : (view.status ?? 400),
  script: view.mayChange && view.offersPasskeys,
  content: html`${errorMessage(view.error)}${goodMessage(view.done)}
<section class="card" aria-labelledby="who">
<h2 id="who">${view.displayName ?? view.username}</h2>
<p>Username <strong>${view.username}</strong></p>
<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>
</section>
${
  !view.mayChange &&
  html`<section class="card" aria-labelledby="confirm">
<h2 id="confirm">Change how you sign in</h2>
<p>Changes need a proof that it is you. It counts for five minutes.</p>
<p><a class="button" href="/account/confirm">Confirm that it is you</a></p>
</section>`
}
${passwordSection(view)}
${passkeySection(view)}
${totpSection(view)}
${recoverySection(view)}
${sessionSection(view)}`,
});

function passwordSection({ passwordChanged, mayChange, username }: AccountView): HtmlPart {
  if (passwordChanged === undefined) return null;
  return html`<section class="card" aria-labelledby="password-of">
<h2 id="password-of">Password</h2>
<p>${passwordChanged === null ? 'You have no password.' : html`Set on ${time(passwordChanged)}.`}</p>
${
  mayChange &&
  html`<form method="post" action="/account/password">
<div hidden><input type="text" name="username" value="${username}" autocomplete="username" readonly></div>
${newPasswordFields()}
<p class="muted">Your other sessions end.</p>
<button>Set password</button>
</form>`
}
</section>`;
}

function passkeySection({ passkeys, offersPasskeys, mayChange }: AccountView): HtmlPart {
  return html`<section class="card" aria-labelledby="passkeys-of">
<h2 id="passkeys-of">Passkeys</h2>
${passkeys.length === 0 && html`<p>You have no passkey.</p>`}
${
  passkeys.length > 0 &&
  html`<ul class="rows">${passkeys.map(
    ({ id, name, created, lastUsed }) => html`<li>
<span>${name}<small>Added on ${time(created)}${lastUsed !== null && html`, last used on ${time(lastUsed)}`}</small></span>
${mayChange && html`<form method="post" action="/account/passkeys/${id}/remove"><button class="quiet">Remove <span class="away">${name}</span></button></form>`}
</li>`,
  )}</ul>`
}
${
  mayChange &&
  offersPasskeys &&
  passkeyForm({
    action: '/account/passkeys',
    options: '/account/passkeys/options',
    ceremony: 'create',
    label: 'Add a passkey',
    quiet: true,
  })
}
</section>`;
}

const totpSection = ({
  hasTotp,
  mayChange,
}: AccountView): HtmlPart => html`<section class="card" aria-labelledby="totp-of">
<h2 id="totp-of">Authenticator app</h2>
<p>${hasTotp ? 'An app is set up.' : 'No app is set up.'}</p>
${mayChange && html`<p><a class="button quiet" href="/account/authenticator">${hasTotp ? 'Set up another app' : 'Set up an app'}</a></p>`}
${mayChange && hasTotp && html`<form method="post" action="/account/authenticator/remove"><button class="quiet">Remove the app</button></form>`}
</section>`;

const recoverySection = (view: AccountView): HtmlPart => html`<section class="card" aria-labelledby="codes-of">
<h2 id="codes-of">Recovery codes</h2>
<p>${view.recoveryCodesLeft === 0 ? 'You have no recovery codes.' : `You have ${view.recoveryCodesLeft} recovery codes left.`}</p>
${view.mayChange && html`<form method="post" action="/account/recovery-codes"><button class="quiet">Make ten new codes</button></form>`}
</section>`;

const sessionSection = ({
  sessions,
}: AccountView): HtmlPart => html`<section class="card" aria-labelledby="sessions-of">
<h2 id="sessions-of">Sessions</h2>
<ul class="rows">${sessions.map(
  ({ id, created, active, isCurrent }) => html`<li>
<span>${isCurrent ? 'This session' : 'Another session'}<small>Since ${time(created)}, last active ${time(active)}</small></span>
${!isCurrent && html`<form method="post" action="/account/sessions/${id}/end"><button class="quiet">End <span class="away">session since ${created}</span></button></form>`}
</li>`,
)}</ul>
</section>`;

/** A time in UTC, to the minute. */
const time = (iso: string) => html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
