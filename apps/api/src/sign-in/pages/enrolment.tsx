import type { Page } from './page.ts';
import { ErrorMessage, Field, HiddenField, Or, PasskeyForm } from './parts.tsx';
import { QrCode } from './qr-code.tsx';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

/** A secret for an authenticator app. */
export interface TotpSecretView {
  /** Base32. */
  readonly secret: string;
  /** An `otpauth:` address with the secret. */
  readonly uri: string;
}

export interface EnrolmentView {
  readonly title: string;
  readonly intro: string;
  /** Null where none can be set up. */
  readonly totp: TotpSecretView | null;
  /** Where the code goes. */
  readonly action: string;
  /** The URLs for a new passkey and its options; null if passkeys are not offered. */
  readonly passkey: { readonly action: string; readonly options: string } | null;
  readonly error: string | null;
  readonly back: { readonly href: string; readonly label: string };
}

/** The page that enrols an authenticator app or a passkey. */
export function enrolmentPage(
  { title, intro, totp, action, passkey, error, back }: EnrolmentView,
  speech: Speech,
): Page {
  const { text } = speech.of(PAGE_TEXTS);
  return {
    title,
    path: action,
    status: error === null ? 200 : 400,
    script: passkey !== null,
    content: (
      <>
        <ErrorMessage text={error} />
        <div class="card">
          <p>{intro}</p>
          {passkey !== null && (
            <PasskeyForm {...passkey} ceremony="create" label={text('passkey.create')} speech={speech} />
          )}
          {passkey !== null && totp !== null && <Or speech={speech} passkeys />}
          {totp !== null && <TotpForm totp={totp} action={action} speech={speech} />}
          {totp === null && passkey === null && <p>{text('app.none')}</p>}
        </div>
        <p>
          <a href={back.href}>{back.label}</a>
        </p>
      </>
    ),
  };
}

interface TotpFormProps {
  readonly totp: TotpSecretView;
  readonly action: string;
  readonly speech: Speech;
}

function TotpForm({ totp: { secret, uri }, action, speech }: TotpFormProps) {
  const { text } = speech.of(PAGE_TEXTS);
  return (
    <>
      <h2>{text('app')}</h2>
      <ol>
        <li>{text('app.scan')}</li>
        <li>{text('app.type')}</li>
      </ol>
      <QrCode text={uri} label={text('app.picture')} />
      <dl>
        <dt class="muted">{text('app.key')}</dt>
        <dd>
          <code>{inGroups(secret)}</code>
        </dd>
      </dl>
      <p>
        <a href={uri}>{text('app.open')}</a>
      </p>
      <form method="post" action={action}>
        <HiddenField name="secret" value={secret} />
        <Field name="code" label={text('code')} autocomplete="one-time-code" inputMode="numeric" />
        <button class="button main full">{text('app.add')}</button>
      </form>
    </>
  );
}

/** Groups of four are read and typed with fewer mistakes. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** The page that shows new recovery codes, once. */
export function recoveryCodesPage(codes: readonly string[], to: string, { of }: Speech): Page {
  const { text } = of(PAGE_TEXTS);
  return {
    title: text('recovery-codes.title'),
    path: null,
    wide: true,
    content: (
      <div class="card">
        <p>{text('recovery-codes.text')}</p>
        <ul class="codes" aria-label={text('recovery-codes')}>
          {codes.map((code) => (
            <li>{code}</li>
          ))}
        </ul>
        <p>
          <a class="button main" href={to}>
            {text('recovery-codes.kept')}
          </a>
        </p>
      </div>
    ),
  };
}
