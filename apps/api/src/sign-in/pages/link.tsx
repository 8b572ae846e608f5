import { NeedsScript } from './factor-forms.tsx';
import type { Page } from './page.ts';
import { ErrorMessage, NewPasswordFields, Or, PasskeyForm, UsernameOfPassword } from './parts.tsx';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS, SIGN_IN_TEXTS } from './texts.ts';

export interface LinkView {
  /** The path of the link itself. */
  readonly path: string;
  readonly username: string;
  readonly displayName: string | null;
  /** Whether the identity signs in with a password of this service. */
  readonly password: boolean;
  /** Whether an authenticator app can be set up beside another service's password. */
  readonly app: boolean;
  readonly passkey: boolean;
  readonly error: string | null;
}

/** The page of a link: it sets a password or a passkey. */
export function linkPage(
  { path, username, displayName, password, app, passkey, error }: LinkView,
  speech: Speech,
): Page {
  const { text, rich } = speech.of(SIGN_IN_TEXTS);
  return {
    title: text('link.title'),
    path,
    status: error === null ? 200 : 400,
    script: passkey,
    content: (
      <>
        <ErrorMessage text={error} />
        <div class="card">
          <p>
            {rich('link.text', {
              name: <strong>{displayName ?? username}</strong>,
              username: <strong>{username}</strong>,
            })}
          </p>
          {password && (
            <form method="post" action={path}>
              <UsernameOfPassword username={username} />
              <NewPasswordFields speech={speech} />
              <button class="button main full">{text('link.set-password')}</button>
            </form>
          )}
          {password && passkey && <Or speech={speech} passkeys />}
          {passkey && (
            <PasskeyForm
              action={`${path}/passkey`}
              options={`${path}/passkey/options`}
              ceremony="create"
              label={speech.of(PAGE_TEXTS).text('passkey.create')}
              quiet={password}
              speech={speech}
            />
          )}
          {app && (
            <form method="post" action={path}>
              <button class="button full">{text('link.set-up-app')}</button>
            </form>
          )}
          {!password && !app && !passkey && <p>{text('link.nothing')}</p>}
          {passkey && !password && !app && <NeedsScript speech={speech} />}
        </div>
      </>
    ),
  };
}

/** The page of a link whose identity may not sign in. */
export function blockedLinkPage(path: string, { of }: Speech): Page {
  const { text } = of(SIGN_IN_TEXTS);
  return {
    title: text('link.blocked.title'),
    path,
    status: 403,
    content: (
      <div class="card">
        <p>{text('link.blocked.text')}</p>
      </div>
    ),
  };
}
