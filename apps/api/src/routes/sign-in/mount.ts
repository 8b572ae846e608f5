import { redirectTo } from '../../pages/layout.ts';
import type { Pages } from '../../pages/mount.ts';
import { type ApplicationDeps, finishApplication, startApplication } from './application.ts';
import {
  type EnrolmentDeps,
  enrolmentPasskeyOptions,
  postEnrolment,
  postEnrolmentPasskey,
  showEnrolment,
} from './enrolment.ts';
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
  /** The path of the console; null without one. */
  readonly consolePath: string | null;
}

/** Adds the pages of sign-in. */
export function mountSignIn({ add }: Pages, deps: SignInDeps & StartDeps): void {
  add('GET', '/', {
    name: 'show-start',
    handle: async (request) => {
      const live = await deps.browserSessions.find(request);
      if (live === null) return redirectTo('/login?to=%2F');
      // The console has nothing for a person without capabilities.
      return redirectTo((live.session.capabilities.length > 0 ? deps.consolePath : null) ?? '/account');
    },
  });
  add('GET', '/login', { name: 'show-login', handle: showLogin(deps) });
  add('POST', '/login', { name: 'log-in', handle: postLogin(deps) });
  add('POST', '/login/passkey/options', { name: 'passkey-options', handle: passkeyLoginOptions(deps) });
  add('POST', '/login/passkey', { name: 'log-in-with-passkey', handle: postPasskeyLogin(deps) });
  const application = '/login/application/{id}';
  add('GET', application, { name: 'start-application', handle: startApplication(deps) });
  add('GET', `${application}/callback`, { name: 'finish-application', handle: finishApplication(deps) });
  const second = '/login/second-factor';
  add('GET', second, { name: 'show-second-factor', handle: showSecondFactor(deps) });
  add('POST', second, { name: 'prove-second-factor', handle: postSecondFactor(deps) });
  add('POST', `${second}/passkey/options`, { name: 'second-factor-options', handle: secondFactorOptions(deps) });
  add('POST', `${second}/passkey`, { name: 'prove-second-passkey', handle: postSecondFactorPasskey(deps) });
  const enrolment = '/login/enrolment';
  add('GET', enrolment, { name: 'show-enrolment', handle: showEnrolment(deps) });
  add('POST', enrolment, { name: 'enrol-authenticator', handle: postEnrolment(deps) });
  add('POST', `${enrolment}/passkey/options`, { name: 'enrolment-options', handle: enrolmentPasskeyOptions(deps) });
  add('POST', `${enrolment}/passkey`, { name: 'enrol-passkey', handle: postEnrolmentPasskey(deps) });
  const link = '/sign-in-link/{token}';
  add('GET', link, { name: 'show-link', handle: showLink(deps) });
  add('POST', link, { name: 'use-link', handle: postLink(deps) });
  add('POST', `${link}/passkey/options`, { name: 'link-passkey-options', handle: linkPasskeyOptions(deps) });
  add('POST', `${link}/passkey`, { name: 'use-link-for-passkey', handle: postLinkPasskey(deps) });
}
