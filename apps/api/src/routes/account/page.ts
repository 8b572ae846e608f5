import { html } from 'hono/html';
import type { Html, HtmlPart, Page } from '../../pages/page.ts';
import { errorMessage, goodMessage, newPasswordFields, passkeyForm } from '../../pages/parts.ts';
import type { Speech } from '../../pages/speech.ts';
import { PAGE_TEXTS } from '../../pages/texts.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

/** A passkey of the identity. */
export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string | null;
}

/** A recently set factor. */
export interface NewFactorView {
  readonly kind: 'password' | 'passkey' | 'app' | 'recovery-codes';
  /** The name of a passkey; null for other factors. */
  readonly name: string | null;
  readonly set: string;
  /** True if it was set through a sign-in link that an identity made. */
  readonly isByLink: boolean;
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
  /** Null where there is no console for the identity. */
  readonly consolePath: string | null;
  /** Whether a factor was proven within the last minutes, so that changes are offered. */
  readonly mayChange: boolean;
  /** The latest first. */
  readonly newFactors: readonly NewFactorView[];
  /** When the password was set; null without one; undefined where the identity has none of this service. */
  readonly passwordChanged: string | null | undefined;
  readonly passkeys: readonly PasskeyView[];
  /** Why no passkey can be added here; null where one can. */
  readonly noPasskeys: string | null;
  readonly hasTotp: boolean;
  readonly recoveryCodesLeft: number;
  readonly sessions: readonly SessionView[];
  readonly done: string | null;
  readonly error: string | null;
  /** The status of a refused change; 400 if left out. */
  readonly status?: 409;
}

/** The page of one's own factors and sessions. */
export function accountPage(view: AccountView, speech: Speech): Page {
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return {
    title: text('title'),
    path: '/account',
    wide: true,
    status: view.error === null ? 200 : (view.status ?? 400),
    script: view.mayChange && view.noPasskeys === null,
    content: html`${view.consolePath !== null && html`<p><a href="${view.consolePath}">${text('console')}</a></p>`}
${errorMessage(view.error)}${goodMessage(view.done)}
<section class="card" aria-labelledby="who">
<h2 id="who">${view.displayName ?? view.username}</h2>
<p>${rich('username', { name: html`<strong>${view.username}</strong>` })}</p>
<form method="post" action="/sign-out"><button class="button">${text('sign-out')}</button></form>
</section>
${newFactorSection(view, speech)}
${
  !view.mayChange &&
  html`<section class="card" aria-labelledby="confirm">
<h2 id="confirm">${text('change.title')}</h2>
<p>${text('change.text')}</p>
<p><a class="button main" href="/account/confirm">${text('confirm')}</a></p>
</section>`
}
${passwordSection(view, speech)}
${passkeySection(view, speech)}
${totpSection(view, speech)}
${recoverySection(view, speech)}
${sessionSection(view, speech)}`,
  };
}

/** Cannot be dismissed: an intruder would do so first. */
function newFactorSection({ newFactors }: AccountView, speech: Speech): HtmlPart {
  if (newFactors.length === 0) return null;
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return html`<section class="card" aria-labelledby="new-factors">
<h2 id="new-factors">${text('new.title')}</h2>
<p>${text('new.text')}</p>
<ul class="rows">${newFactors.map(
    ({ kind, name, set, isByLink }) => html`<li>
<span>${name ?? kindOf(kind, speech)}<small>${rich(isByLink ? 'new.by-link' : 'new.set', { time: time(set, speech) })}</small></span>
</li>`,
  )}</ul>
</section>`;
}

function kindOf(kind: NewFactorView['kind'], { of }: Speech): string {
  if (kind === 'password') return of(ACCOUNT_TEXTS).text('password');
  return kind === 'passkey' ? of(ACCOUNT_TEXTS).text('passkeys') : of(PAGE_TEXTS).text(kind);
}

function passwordSection({ passwordChanged, mayChange, username }: AccountView, speech: Speech): HtmlPart {
  if (passwordChanged === undefined) return null;
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return html`<section class="card" aria-labelledby="password-of">
<h2 id="password-of">${text('password')}</h2>
<p>${passwordChanged === null ? text('password.none') : rich('password.set', { time: time(passwordChanged, speech) })}</p>
${
  mayChange &&
  html`<form method="post" action="/account/password">
<div hidden><input type="text" name="username" value="${username}" autocomplete="username" readonly></div>
${newPasswordFields(speech)}
<p class="muted">${text('password.others')}</p>
<button class="button main">${text('password.submit')}</button>
</form>`
}
</section>`;
}

function passkeySection({ passkeys, noPasskeys, mayChange }: AccountView, speech: Speech): HtmlPart {
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return html`<section class="card" aria-labelledby="passkeys-of">
<h2 id="passkeys-of">${text('passkeys')}</h2>
${passkeys.length === 0 && html`<p>${text('passkeys.none')}</p>`}
${noPasskeys !== null && html`<p class="muted">${noPasskeys}</p>`}
${
  passkeys.length > 0 &&
  html`<ul class="rows">${passkeys.map(({ id, name, created, lastUsed }) => {
    const times =
      lastUsed === null
        ? rich('passkeys.unused', { created: time(created, speech) })
        : rich('passkeys.used', { created: time(created, speech), used: time(lastUsed, speech) });
    return html`<li>
<span>${name}<small>${times}</small></span>
${mayChange && html`<form method="post" action="/account/passkeys/${id}/remove"><button class="button danger">${text('remove')} <span class="away">${name}</span></button></form>`}
</li>`;
  })}</ul>`
}
${
  mayChange &&
  noPasskeys === null &&
  passkeyForm(
    {
      action: '/account/passkeys',
      options: '/account/passkeys/options',
      ceremony: 'create',
      label: text('passkeys.add'),
      quiet: true,
    },
    speech,
  )
}
</section>`;
}

function totpSection({ hasTotp, mayChange }: AccountView, { of }: Speech): HtmlPart {
  const { text } = of(ACCOUNT_TEXTS);
  return html`<section class="card" aria-labelledby="totp-of">
<h2 id="totp-of">${of(PAGE_TEXTS).text('app')}</h2>
<p>${text(hasTotp ? 'app.set' : 'app.none')}</p>
${mayChange && html`<p><a class="button" href="/account/authenticator">${text(hasTotp ? 'app.set-up-another' : 'app.set-up')}</a></p>`}
${mayChange && hasTotp && html`<form method="post" action="/account/authenticator/remove"><button class="button danger">${text('app.remove')}</button></form>`}
</section>`;
}

function recoverySection({ recoveryCodesLeft: count, mayChange }: AccountView, { of }: Speech): HtmlPart {
  const { text } = of(ACCOUNT_TEXTS);
  return html`<section class="card" aria-labelledby="codes-of">
<h2 id="codes-of">${of(PAGE_TEXTS).text('recovery-codes')}</h2>
<p>${count === 0 ? text('codes.none') : text('codes.left', { count })}</p>
${mayChange && html`<form method="post" action="/account/recovery-codes"><button class="button">${text('codes.renew')}</button></form>`}
</section>`;
}

function sessionSection({ sessions }: AccountView, speech: Speech): HtmlPart {
  const { text, rich } = speech.of(ACCOUNT_TEXTS);
  return html`<section class="card" aria-labelledby="sessions-of">
<h2 id="sessions-of">${text('sessions')}</h2>
<ul class="rows">${sessions.map(({ id, created, active, isCurrent }) => {
    const times = rich('sessions.times', { created: time(created, speech), active: time(active, speech) });
    const which = text('sessions.which', { time: speech.moment(created) });
    return html`<li>
<span>${text(isCurrent ? 'sessions.this' : 'sessions.other')}<small>${times}</small></span>
${!isCurrent && html`<form method="post" action="/account/sessions/${id}/end"><button class="button danger">${text('sessions.end')} <span class="away">${which}</span></button></form>`}
</li>`;
  })}</ul>
</section>`;
}

const time = (iso: string, { moment }: Speech): Html => html`<time datetime="${iso}">${moment(iso)}</time>`;
