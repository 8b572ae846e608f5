import type { SessionStore, SignInFactor, SignInSettingsStore, StoredSession } from '@access-admin/store';
import type { PageContext } from '../pages/context.ts';
import type { LiveSession, Sessions } from '../sessions/sessions.ts';
import { SIGN_IN_ACTOR, selfContext } from './enrol.ts';
import type { ProvenSignIn } from './link-trace.ts';

/**
 * Ends a sign-in with a session of a new id and token, in place of the one that the browser had; false where the identity, or a
 * link that it goes back to, is gone.
 */
export type CompleteSignIn = (c: PageContext, proven: ProvenSignIn) => Promise<boolean>;

/** The sessions of browsers, as pages use them. */
export interface BrowserSessions {
  readonly begin: CompleteSignIn;
  /** Null without one. Counts as activity. */
  find(c: PageContext): Promise<LiveSession | null>;
  /** Keeps that a factor was proven again. */
  prove(live: LiveSession, factor: SignInFactor): Promise<void>;
  /** Ends the session of the browser, if it has one. */
  signOut(c: PageContext): Promise<void>;
  /** The sessions of an identity that can be used. */
  list(tenant: string, identityId: string): Promise<readonly StoredSession[]>;
}

interface BrowserSessionDeps {
  readonly liveSessions: Sessions;
  readonly sessions: Pick<SessionStore, 'list'>;
  readonly signInSettings: Pick<SignInSettingsStore, 'read'>;
  readonly now: () => Date;
}

const MINUTE_MS = 60_000;
const LISTED_MAX = 100;

export function createBrowserSessions(deps: BrowserSessionDeps): BrowserSessions {
  const { liveSessions, sessions, signInSettings, now } = deps;
  const find = async (c: PageContext) => liveSessions.find(c);
  return {
    find,
    prove: liveSessions.prove,
    begin: (c, proven) => {
      const { identityId } = proven;
      const by = { clientId: SIGN_IN_ACTOR, identityId, operation: 'sign-in', now: now() };
      return liveSessions.begin(selfContext(c, by), c, proven);
    },
    signOut: async (c) => {
      const live = await find(c);
      const { id, identityId } = live?.session ?? { id: '', identityId: '' };
      const by = { clientId: `session:${id}`, identityId, operation: 'sign-out', now: now() };
      return liveSessions.end(selfContext(c, by), c);
    },
    list: async (tenant, identityId) => {
      const { session: config } = await signInSettings.read(tenant);
      const nowMs = now().getTime();
      const query = {
        identityId,
        nowMs,
        createdAfterMs: nowMs - config.maxSessionTime * MINUTE_MS,
        activeAfterMs: nowMs - config.maxIdleTime * MINUTE_MS,
      };
      return sessions.list(tenant, query, { limit: LISTED_MAX, offset: 0 });
    },
  };
}
