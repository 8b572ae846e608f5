import { PASSWORD_LENGTH } from '@access-admin/domain';
import type { Child } from 'hono/jsx';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password';
  /** What browsers fill in, as HTML names it. */
  readonly autocomplete: string;
  readonly value?: string;
  readonly placeholder?: string | null;
  readonly hint?: string;
  /** For codes: digits in most cases. */
  readonly inputMode?: 'numeric';
  /** Whether the page begins here. */
  readonly autofocus?: boolean;
}

/** Whether a text starts in a right-to-left script. Browsers detect this for typed text only, not for placeholders. */
const isFromRight = (text: string): boolean =>
  /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text);

/** A required field with its label and its hint, which screen readers read with it. */
export function Field({ name, label, type = 'text', autocomplete, value = '', hint, ...props }: FieldProps) {
  const placeholder = props.placeholder ?? undefined;
  const direction = placeholder !== undefined && isFromRight(placeholder) ? ' from-right' : '';
  return (
    <div class="field">
      <label class="label" for={name} dir="auto">
        {label}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <input
        class={`control${direction}`}
        id={name}
        name={name}
        type={type}
        autocomplete={autocomplete}
        value={value}
        dir={type === 'text' ? 'auto' : undefined}
        placeholder={placeholder}
        inputmode={props.inputMode}
        autocapitalize={type === 'text' ? 'none' : undefined}
        spellcheck={type === 'text' ? false : undefined}
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
        required
        autofocus={props.autofocus === true}
      />
    </div>
  );
}

export const HiddenField = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <input type="hidden" name={name} value={value} />
);

/** The username beside new passwords, for password managers. */
export const UsernameOfPassword = ({ username }: { readonly username: string }) => (
  <div hidden>
    <input type="text" name="username" value={username} autocomplete="username" readonly />
  </div>
);

/** What was wrong with the last attempt; screen readers read it at once. */
export const ErrorMessage = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <div class="message error" role="alert">
      <p>{text}</p>
    </div>
  );

/** What has been done. */
export const GoodMessage = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <div class="message good" role="status">
      <p>{text}</p>
    </div>
  );

/** Stands between two ways; beside passkeys it is hidden until the script has found that the browser has them. */
export const Or = ({ speech, passkeys = false }: { readonly speech: Speech; readonly passkeys?: boolean }) => (
  <p class="or" data-needs-passkeys={passkeys ? '' : undefined} hidden={passkeys}>
    {speech.of(PAGE_TEXTS).text('or')}
  </p>
);

interface PasskeyFormProps {
  /** Where the form with the credential goes. */
  readonly action: string;
  /** Where the options come from. */
  readonly options: string;
  readonly ceremony: 'create' | 'get';
  readonly label: string;
  readonly quiet?: boolean;
  readonly speech: Speech;
  readonly children?: Child;
}

const PASSKEY_ERRORS = ['NotAllowedError', 'InvalidStateError', 'SecurityError', 'failed'] as const;

/** A button that asks for a passkey, as the script of pages needs it. It is hidden where there is no script. */
export function PasskeyForm({ action, options, ceremony, label, quiet = false, speech, children }: PasskeyFormProps) {
  const { text } = speech.of(PAGE_TEXTS);
  const errors = Object.fromEntries(PASSKEY_ERRORS.map((error) => [`data-${error}`, text(`passkey.${error}`)]));
  return (
    <form method="post" action={action} data-passkey={options} data-ceremony={ceremony} hidden {...errors}>
      {children}
      <HiddenField name="credential" value="" />
      <div class="message error" role="alert" hidden />
      <button class={`button${quiet ? '' : ' main'} full`}>{label}</button>
    </form>
  );
}

/** The fields of a new password. */
export function NewPasswordFields({ speech }: { readonly speech: Speech }) {
  const { text } = speech.of(PAGE_TEXTS);
  return (
    <>
      <Field
        name="password"
        label={text('new-password')}
        type="password"
        autocomplete="new-password"
        hint={text('new-password.hint', PASSWORD_LENGTH)}
      />
      <Field name="repeated" label={text('new-password.again')} type="password" autocomplete="new-password" />
    </>
  );
}
