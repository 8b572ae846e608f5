import type { LiveSession } from '../../sessions/sessions.ts';
import { LANGUAGE_PATH, redirectTo } from '../../sign-in/pages/layout.tsx';
import type { PageRoute } from '../../sign-in/pages/pages.ts';
import { type ApplicationDeps, finishApplication, startApplication } from './application.ts';
import {
  type EnrolmentDeps,
  enrolmentPasskeyOptions,
  postEnrolment,
  postEnrolmentPasskey,
  showEnrolment,
} from './enrolment.ts';
import { postLanguage } from './language.ts';
import { type LinkDeps, linkPasskeyOptions, postLink, postLinkPasskey, showLink } from './link.ts';
import { type LoginDeps, postLogin, showLogin } from './login.ts';
import { type PasskeyLoginDeps, passkeyLoginOptions, postPasskeyLogin } from './passkey-login.ts';
import {
  postSecondFactor,
  postSecondFactorPasskey,
  type SecondFactorDeps,
  secondFactorOptions,
  showSecondFactor,
} from './second-factor.ts';

export type SignInDeps = LoginDeps & PasskeyLoginDeps & SecondFactorDeps & EnrolmentDeps & LinkDeps & ApplicationDeps;

export interface StartDeps {
  /** The path of the console; null where there is none for the holder of a session. */
  readonly consolePathOf: (live: LiveSession) => string | null;
}

/** The pages of sign-in. */
export const signInPages = (deps: SignInDeps & StartDeps): readonly PageRoute[] => [
  [
    'GET',
    '/',
    'show-start',
    async (c) => {
      const live = await deps.browserSessions.find(c);
      if (live === null) return redirectTo(c, '/login?to=%2F');
      return redirectTo(c, deps.consolePathOf(live) ?? '/account');
    },
  ],
  ['POST', LANGUAGE_PATH, 'choose-language', postLanguage],
  ['GET', '/login', 'show-login', showLogin(deps)],
  ['POST', '/login', 'log-in', postLogin(deps)],
  ['POST', '/login/passkey/options', 'passkey-options', passkeyLoginOptions(deps)],
  ['POST', '/login/passkey', 'log-in-with-passkey', postPasskeyLogin(deps)],
  ['GET_ALONE', '/login/application/:id', 'start-application', startApplication(deps)],
  ['GET_ALONE', '/login/application/:id/callback', 'finish-application', finishApplication(deps)],
  ['GET', '/login/second-factor', 'show-second-factor', showSecondFactor(deps)],
  ['POST', '/login/second-factor', 'prove-second-factor', postSecondFactor(deps)],
  ['POST', '/login/second-factor/passkey/options', 'second-factor-options', secondFactorOptions(deps)],
  ['POST', '/login/second-factor/passkey', 'prove-second-passkey', postSecondFactorPasskey(deps)],
  ['GET', '/login/enrolment', 'show-enrolment', showEnrolment(deps)],
  ['POST', '/login/enrolment', 'enrol-authenticator', postEnrolment(deps)],
  ['POST', '/login/enrolment/passkey/options', 'enrolment-options', enrolmentPasskeyOptions(deps)],
  ['POST', '/login/enrolment/passkey', 'enrol-passkey', postEnrolmentPasskey(deps)],
  ['GET', '/sign-in-link/:token', 'show-link', showLink(deps)],
  ['POST', '/sign-in-link/:token', 'use-link', postLink(deps)],
  ['POST', '/sign-in-link/:token/passkey/options', 'link-passkey-options', linkPasskeyOptions(deps)],
  ['POST', '/sign-in-link/:token/passkey', 'use-link-for-passkey', postLinkPasskey(deps)],
];
