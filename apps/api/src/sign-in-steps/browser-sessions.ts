import type { SessionStore, SignInFactor, SignInSettingsStore, StoredSession } from '@access-admin/store';
import type { LiveSession, Sessions } from '../sessions/sessions.ts';
import type { PageContext } from '../sign-in/pages/context.ts';
import { SIGN_IN_ACTOR, selfContext } from './enrol.ts';
import type { ProvenSignIn } from './link-provenance.ts';

/** Replaces the browser's session by a new one; false if the identity is gone, or a link that the sign-in derives from. */
export type CompleteSignIn = (c: PageContext, proven: ProvenSignIn) => Promise<boolean>;

/** Sessions in the cookie of a browser. */
export interface BrowserSessions {
  readonly begin: CompleteSignIn;
  /** Counts as activity. */
  find(c: PageContext): Promise<LiveSession | null>;
  /** Records a step-up. */
  prove(live: LiveSession, factor: SignInFactor): Promise<void>;
  /** Ends the session of the browser, if it has one. */
  signOut(c: PageContext): Promise<void>;
  /** Live sessions only. */
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
