import type { SignInIdentity } from '@access-admin/store';
import { offersPasskeys } from './factors/passkey.ts';
import { advance, type NextStep, type SignInEvent } from './flow.ts';
import type { PageContext } from './pages/context.ts';
import { redirectTo, renderPage } from './pages/layout.tsx';
import { loginPage, noSecondFactorPage } from './pages/login.tsx';
import { stepUrl } from './pending.ts';

type FirstFactor = Extract<SignInEvent, { type: 'FIRST_FACTOR_PROVEN' }>;

/** The decision on a sign-in; null where it refuses the identity, which counts as a failure. */
export async function admit(c: PageContext, identity: SignInIdentity): Promise<FirstFactor['decision'] | null> {
  const { decide, signIn } = c.env.services;
  const decision = await decide(identity, c.get('source'));
  if (decision.decision !== 'BLOCK') return decision;
  if (decision.reasons.includes('LOCKED_OUT')) await signIn.journal.failed(c, identity);
  else await signIn.journal.blocked(c, identity, decision.reasons);
  return null;
}

/** Goes on after a first factor. */
export async function afterFirstFactor(c: PageContext, proven: Omit<FirstFactor, 'type'>): Promise<Response> {
  const step = advance(null, { type: 'FIRST_FACTOR_PROVEN', ...proven });
  if (step.next === 'REFUSED' && step.reason === 'NO_SECOND_FACTOR')
    return renderPage(c, noSecondFactorPage(c.get('speech')));
  return (await follow(c, step)) ?? failedLogin(c, proven.to);
}

const PAGES = { SECOND_FACTOR: '/login/second-factor', ENROLMENT: '/login/enrolment' } as const;

/** Begins the session, or leads to the page of the next step; null where the sign-in is refused, or its identity or link gone. */
export async function follow(c: PageContext, step: NextStep): Promise<Response | null> {
  const { sessions, signIn } = c.env.services;
  if (step.next === 'REFUSED') return null;
  if (step.next === 'SESSION') return (await sessions.begin(c, step.signIn)) ? redirectTo(c, step.to) : null;
  const begun = await signIn.pending.begin(c, step.identityId, step.state, step.provenance);
  return begun === null ? null : redirectTo(c, stepUrl(PAGES[step.next], begun));
}

/** No username is longer than this. */
export const USERNAME_LENGTH_MAX = 256;

interface ShownLogin {
  readonly failed?: boolean;
  readonly signedOut?: boolean;
}

/** The page of sign-in. */
export function showLogin(c: PageContext, to: string, shown: ShownLogin = {}): Response | Promise<Response> {
  const view = {
    metadata: c.get('metadata'),
    offersPasskeys: offersPasskeys(c),
    applications: c.get('isFramed') ? [] : c.env.services.signIn.providers.list(c.get('tenant')),
    // A longer text cannot be a username, and the passkey page has no username field.
    username: c.get('form')('username').slice(0, USERNAME_LENGTH_MAX),
    to,
    ...shown,
  };
  return renderPage(c, loginPage(view, c.get('speech')));
}

/** Answers a failed sign-in: the page does not tell what failed. */
export const failedLogin = (c: PageContext, to: string): Response | Promise<Response> =>
  showLogin(c, to, { failed: true });
