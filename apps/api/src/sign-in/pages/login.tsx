import type { UiMetadata } from '@access-admin/domain';
import { LOGIN_TEXTS } from '@access-admin/languages';
import type { Page } from './page.ts';
import { ErrorMessage, Field, GoodMessage, HiddenField, Or, PasskeyForm } from './parts.tsx';
import type { Speech } from './speech.ts';
import { PAGE_TEXTS, SIGN_IN_TEXTS } from './texts.ts';

/** An application that verifies users of the tenant, reached by a button. */
export interface OfferedApplication {
  readonly id: string;
  readonly name: string;
}

/** What the sign-in page shows. */
export interface LoginView {
  readonly metadata: UiMetadata;
  /** Where a sign-in leads to, an own path. */
  readonly to: string;
  readonly offersPasskeys: boolean;
  /** None in a frame. */
  readonly applications: readonly OfferedApplication[];
  readonly failed?: boolean;
  /** What was typed before; empty at first. */
  readonly username?: string;
  readonly signedOut?: boolean;
}

/** The text after any failed attempt. It is one text, so that it does not reveal whether the user is unknown, the password wrong, the profile blocked or the account locked. */
export function loginPage(
  { metadata, to, offersPasskeys, applications, failed = false, username = '', signedOut = false }: LoginView,
  speech: Speech,
): Page {
  const { text } = speech.of(SIGN_IN_TEXTS);
  const form = speech.of(LOGIN_TEXTS).text;
  const target = encodeURIComponent(to);
  return {
    title: form('title'),
    path: `/login?to=${target}`,
    status: failed ? 401 : 200,
    script: offersPasskeys,
    content: (
      <>
        <GoodMessage text={signedOut ? text('signed-out') : null} />
        <ErrorMessage text={failed ? text('failed') : null} />
        <div class="card">
          <form method="post" action="/login">
            <HiddenField name="to" value={to} />
            <Field
              name="username"
              label={metadata.usernameLabel ?? form('username')}
              placeholder={metadata.usernameEmptyText}
              autocomplete="username webauthn"
              value={username}
              autofocus={username === ''}
            />
            <Field
              name="password"
              label={form('password')}
              type="password"
              autocomplete="current-password"
              autofocus={username !== ''}
            />
            <button class="button main full">{form('submit')}</button>
          </form>
          {(applications.length > 0 || offersPasskeys) && <Or speech={speech} passkeys={applications.length === 0} />}
          {offersPasskeys && (
            <PasskeyForm
              action="/login/passkey"
              options="/login/passkey/options"
              ceremony="get"
              label={text('with-passkey')}
              quiet
              speech={speech}
            >
              <HiddenField name="to" value={to} />
            </PasskeyForm>
          )}
          {applications.map(({ id, name }) => (
            // A link and no form: browsers apply `form-action` of the policy to the redirect to the provider.
            <p>
              <a class="button full" href={`/login/application/${encodeURIComponent(id)}?to=${target}`}>
                {text('with-application', { name })}
              </a>
            </p>
          ))}
        </div>
      </>
    ),
  };
}

/** The page after a right password where the auth profile demands a second factor, and none is enrolled. */
export const noSecondFactorPage = (speech: Speech): Page => {
  const { text } = speech.of(SIGN_IN_TEXTS);
  return {
    title: text('no-second-factor.title'),
    path: '/login',
    status: 403,
    content: <BackToSignIn text={text('no-second-factor.text')} speech={speech} />,
  };
};

/** The page in a frame, where a provider does not show itself. */
export const framedApplicationPage = (path: string, speech: Speech): Page => {
  const { text } = speech.of(SIGN_IN_TEXTS);
  return {
    title: text('application.framed.title'),
    path,
    status: 403,
    content: <BackToSignIn text={text('application.framed.text')} speech={speech} />,
  };
};

/** The page of a provider that does not answer. */
export const awayApplicationPage = (name: string, speech: Speech): Page => {
  const { text } = speech.of(SIGN_IN_TEXTS);
  return {
    title: text('application.away.title'),
    // To show this page again would begin again, or end what has begun.
    path: '/login',
    status: 503,
    content: <BackToSignIn text={text('application.away.text', { name })} speech={speech} />,
  };
};

const BackToSignIn = ({ text, speech }: { readonly text: string; readonly speech: Speech }) => (
  <div class="card">
    <p>{text}</p>
    <p>
      <a href="/login">{speech.of(PAGE_TEXTS).text('to-sign-in')}</a>
    </p>
  </div>
);
