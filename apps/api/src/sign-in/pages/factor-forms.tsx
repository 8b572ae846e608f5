import { LOGIN_TEXTS } from '@access-admin/languages';
import type { Child } from 'hono/jsx';
import { Field, Or, PasskeyForm } from './parts.tsx';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

/** The factors that an identity can prove on a page. */
export interface OfferedFactors {
  readonly password: boolean;
  readonly totp: boolean;
  readonly recoveryCodes: boolean;
  readonly passkeys: boolean;
}

interface FactorFormsProps {
  /** Where the forms go; the form of a passkey goes to `/passkey` below it. */
  readonly path: string;
  /** With the question mark, or empty. */
  readonly query: string;
  readonly offered: OfferedFactors;
  readonly speech: Speech;
  /** The fields that each form has. */
  readonly children?: Child;
}

/** One form a factor. */
export function FactorForms({ path, query, offered, speech, children }: FactorFormsProps) {
  const action = `${path}${query}`;
  const { text } = speech.of(PAGE_TEXTS);
  const { password, totp, recoveryCodes, passkeys } = offered;
  return (
    <>
      {passkeys && (
        <>
          <PasskeyForm
            action={`${path}/passkey${query}`}
            options={`${path}/passkey/options${query}`}
            ceremony="get"
            label={text('passkey.use')}
            speech={speech}
          >
            {children}
          </PasskeyForm>
          {password || totp || recoveryCodes ? <Or speech={speech} passkeys /> : <NeedsScript speech={speech} />}
        </>
      )}
      {password && (
        <form method="post" action={action}>
          {children}
          <Field
            name="password"
            label={speech.of(LOGIN_TEXTS).text('password')}
            type="password"
            autocomplete="current-password"
            autofocus
          />
          <button class="button main full">{text('continue')}</button>
        </form>
      )}
      {password && totp && <Or speech={speech} />}
      {totp && (
        <form method="post" action={action}>
          {children}
          <Field
            name="code"
            label={text('code')}
            autocomplete="one-time-code"
            inputMode="numeric"
            hint={text('code.hint')}
            autofocus={!password}
          />
          <button class={`button${password ? '' : ' main'} full`}>{text('continue')}</button>
        </form>
      )}
      {recoveryCodes && (password || totp) && <Or speech={speech} />}
      {recoveryCodes && (
        <form method="post" action={action}>
          {children}
          <Field
            name="recoveryCode"
            label={text('recovery-code')}
            autocomplete="off"
            hint={text('recovery-code.hint')}
          />
          <button class="button full">{text('recovery-code.use')}</button>
        </form>
      )}
    </>
  );
}

/** Tells why there is nothing to do where there is no script. */
export const NeedsScript = ({ speech }: { readonly speech: Speech }) => (
  <noscript>
    <p>{speech.of(PAGE_TEXTS).text('passkey.script')}</p>
  </noscript>
);

/** Whether no factor is offered. */
export const offersNothing = (offered: OfferedFactors): boolean => !Object.values(offered).includes(true);
