import { PASSWORD_LENGTH } from '@access-admin/domain';
import { html } from 'hono/html';
import type { Html, HtmlPart } from './page.ts';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

/** A labelled field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password';
  /** What browsers fill in, as HTML names it. */
  readonly autocomplete: string;
  readonly value?: string;
  readonly placeholder?: string | null;
  readonly hint?: string;
  /** The fault of what was sent. */
  readonly error?: string | null;
  /** For codes: digits in most cases. */
  readonly inputMode?: 'numeric' | 'text';
  /** Whether the page begins here. */
  readonly autofocus?: boolean;
  readonly required?: boolean;
}

/** Whether a text begins in a script that is written from the right; browsers ask only what is typed, and not the placeholder. */
const isFromRight = (text: string): boolean =>
  /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text);

/** A field with its label, its hint and its fault, which screen readers read with it. */
export function field(given: Field): Html {
  const { name, label, type = 'text', autocomplete, value = '', placeholder = null, hint, error = null } = given;
  const described = [hint !== undefined && `${name}-hint`, error !== null && `${name}-error`].filter(
    (id) => id !== false,
  );
  return html`<div class="field">
<label class="label" for="${name}" dir="auto">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input class="control${placeholder !== null && isFromRight(placeholder) && ' from-right'}" id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}"
${type === 'text' && html` dir="auto"`}
${placeholder !== null && html` placeholder="${placeholder}"`}
${given.inputMode !== undefined && html` inputmode="${given.inputMode}"`}
${type === 'text' && html` autocapitalize="none" spellcheck="false"`}
${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}
${error !== null && html` aria-invalid="true"`}
${given.required !== false && html` required`}
${given.autofocus === true && html` autofocus`}>
${error !== null && html`<p class="errors" id="${name}-error">${error}</p>`}
</div>`;
}

/** What was wrong with the last attempt; screen readers read it at once. */
export const errorMessage = (text: string | null): HtmlPart =>
  text !== null && html`<div class="message error" role="alert"><p>${text}</p></div>`;

/** What has been done. */
export const goodMessage = (text: string | null): HtmlPart =>
  text !== null && html`<div class="message good" role="status"><p>${text}</p></div>`;

/** A hidden field. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** A button that asks for a passkey, as the script of pages needs it. It is hidden where there is no script. */
export interface PasskeyForm {
  /** Where the form with the credential goes. */
  readonly action: string;
  /** Where the options come from. */
  readonly options: string;
  readonly ceremony: 'create' | 'get';
  readonly label: string;
  readonly quiet?: boolean;
  readonly fields?: HtmlPart;
}

const PASSKEY_ERRORS = ['NotAllowedError', 'InvalidStateError', 'SecurityError', 'failed'] as const;

export function passkeyForm(
  { action, options, ceremony, label, quiet = false, fields = null }: PasskeyForm,
  { of }: Speech,
): Html {
  const { text } = of(PAGE_TEXTS);
  return html`<form method="post" action="${action}" data-passkey="${options}" data-ceremony="${ceremony}" hidden
${PASSKEY_ERRORS.map((error) => html` data-${error}="${text(`passkey.${error}`)}"`)}>
${fields}
${hiddenField('credential', '')}
<div class="message error" role="alert" hidden></div>
<button class="button${!quiet && ' main'} full">${label}</button>
</form>`;
}

/** The fields of a new password. */
export function newPasswordFields({ of }: Speech): Html {
  const { text } = of(PAGE_TEXTS);
  return html`${field({
    name: 'password',
    label: text('new-password'),
    type: 'password',
    autocomplete: 'new-password',
    hint: text('new-password.hint', PASSWORD_LENGTH),
  })}
${field({ name: 'repeated', label: text('new-password.again'), type: 'password', autocomplete: 'new-password' })}`;
}
