import { type Caller, SCOPES, type SessionConfig } from '@access-admin/domain';
import type { CallingSession, SessionStore, SignInFactor, StoredSession } from '@access-admin/store';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../env.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import { isFramed } from '../http/cookies.ts';
import { SIGN_IN_ACTOR, selfContext } from './enrol.ts';
import type { ProvenSignIn } from './flow.ts';
import type { OriginOf } from './origin.ts';
import type { PageContext } from './pages/context.ts';
import { hashOfToken, type NamedSession, type SessionCookie } from './session-cookie.ts';

/** A session that can be used, with its ends. */
export interface LiveSession extends SessionEnds {
  readonly session: CallingSession;
  readonly named: NamedSession;
  readonly caller: Caller;
}

/** Sessions of people in browsers. */
export interface Sessions {
  /** The session of a request; null without one that can be used. Counts as activity, unless the request waits or has its caller already. */
  find(c: RequestContext): MaybePromise<LiveSession | null>;
  /**
   * Begins a session with a new token and sets its cookie; false where the identity, or a link that the sign-in derives from, is
   * gone. The session of this browser before ends.
   */
  begin(c: PageContext, proven: ProvenSignIn): Promise<boolean>;
  /** Ends the session of this browser, if it has one, and removes its cookie. */
  end(c: PageContext): Promise<void>;
  /** Keeps that a factor was proven again within the session. */
  prove(live: LiveSession, factor: SignInFactor): Promise<void>;
  /** The living sessions of an identity. */
  list(tenant: string, identityId: string): Promise<readonly StoredSession[]>;
}

export interface SessionsDeps {
  readonly sessions: Pick<SessionStore, 'find' | 'findLatest' | 'touch' | 'prove' | 'create' | 'end' | 'list'>;
  readonly readConfig: (tenant: string) => Promise<SessionConfig>;
  readonly cookie: SessionCookie;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly originOf: OriginOf;
}

const TOUCHED_MAX = 50_000;
const LISTED_MAX = 100;

export function createSessions(deps: SessionsDeps): Sessions {
  const { sessions, cookie, now, readConfig } = deps;
  const find = createFind(deps);
  /** The session that the browser names, whether it can still be used or not. */
  const findNamed = async (c: PageContext): Promise<CallingSession | null> => {
    const named = cookie.read(c);
    if (named === null) return null;
    const session = await sessions.findLatest(named.tenant, named.hash);
    return session?.isFramed === named.isFramed ? session : null;
  };
  return {
    find,
    begin: async (c, { identityId, factors, linkGeneration, usedLink }) => {
      const auditContext = selfContext(c, { clientId: SIGN_IN_ACTOR, identityId, operation: 'sign-in', now: now() });
      const config = await readConfig(auditContext.tenant);
      const token = deps.newSecret();
      const createdMs = now().getTime();
      const isCreated = await sessions.create(auditContext, {
        id: deps.newId(),
        hash: hashOfToken(token),
        identityId,
        factors,
        linkGeneration,
        usedLink,
        isFramed: isFramed(c),
        address: deps.originOf(c).address || null,
        createdMs,
        ...endsOfNew(createdMs, createdMs, config),
      });
      if (!isCreated) return false;
      const former = await findNamed(c);
      if (former !== null) await sessions.end(auditContext, former.id);
      cookie.write(c, token, config.rememberMe ? config.maxSessionTime * 60 : undefined);
      return true;
    },
    end: async (c) => {
      const session = await findNamed(c);
      if (session !== null) {
        const { id, identityId } = session;
        const by = { clientId: clientIdOf(id), identityId, operation: 'sign-out', now: now() };
        await sessions.end(selfContext(c, by), id);
      }
      cookie.clear(c);
    },
    prove: async ({ session, named }, factor) => {
      const factors = [...new Set([...session.factors, factor])];
      await sessions.prove(named.tenant, named.hash, { provenMs: now().getTime(), factors });
    },
    list: async (tenant, identityId) => {
      const living = livingSince(now().getTime(), await readConfig(tenant));
      return sessions.list(tenant, { identityId, ...living }, { limit: LISTED_MAX, offset: 0 });
    },
  };
}

function createFind({ sessions, cookie, now }: SessionsDeps): Sessions['find'] {
  const callers = new WeakMap<CallingSession, Caller>();
  // The latest activity that this process has seen: what is cached of a session has an earlier one. With `max`, room for all of
  // them would be taken at once.
  const touched = new LRUCache<string, number>({ maxSize: TOUCHED_MAX, sizeCalculation: () => 1 });
  const callerOf = (session: CallingSession, tenant: string): Caller => {
    const caller = callers.get(session) ?? callerOfSession(tenant, session);
    callers.set(session, caller);
    return caller;
  };
  const touch = ({ tenant, hash }: NamedSession, { config }: CallingSession, activeMs: number) => {
    touched.set(hash, activeMs);
    const { idleExpiresMs } = endsOfNew(0, activeMs, config);
    // A session whose activity is not kept ends early.
    sessions.touch(tenant, hash, { activeMs, idleExpiresMs }).catch(() => {});
  };
  const admit = (named: NamedSession, session: CallingSession, c: RequestContext): LiveSession | null => {
    // Browsers send the cookie of a frame with requests of other sites: a token of the other kind is out of its place.
    if (session.isFramed !== named.isFramed) return null;
    const nowMs = now().getTime();
    const activeMs = Math.max(session.activeMs, touched.get(named.hash) ?? 0);
    const ends = endsOf(session, session.config, activeMs);
    if (nowMs >= ends.expiresMs || nowMs >= ends.idleExpiresMs) return null;
    const isTouched = nowMs - activeMs >= storedActivityStepMs(session.config) && isActivity(c);
    if (isTouched) touch(named, session, nowMs);
    const present = isTouched ? endsOf(session, session.config, nowMs) : ends;
    return { ...present, session, named, caller: callerOf(session, named.tenant) };
  };
  return (c) => {
    const named = cookie.read(c);
    if (named === null) return null;
    return whenReady<CallingSession | null, LiveSession | null>(sessions.find(named.tenant, named.hash), (session) => {
      const live = session === null ? null : admit(named, session, c);
      if (live !== null || session === null) return live;
      // Another process may have seen a later activity.
      return sessions
        .findLatest(named.tenant, named.hash)
        .then((latest) => (latest === null ? null : admit(named, latest, c)));
    });
  };
}

/** Whether a request shows that someone is there: polls and streams repeat themselves, and a long answer looks at its caller again. */
const isActivity = (c: RequestContext): boolean =>
  c.env.state.caller === null &&
  !/(^|[,;\s])wait\s*=/i.test(c.req.header('prefer') ?? '') &&
  c.req.header('accept')?.includes('text/event-stream') !== true;

const MINUTE_MS = 60_000;

/** When a session ends, in milliseconds since 1970. */
interface SessionEnds {
  readonly expiresMs: number;
  readonly idleExpiresMs: number;
}

/** The ends of a session whose activity is now. */
export const endsOfNew = (createdMs: number, activeMs: number, config: SessionConfig): SessionEnds => ({
  expiresMs: createdMs + config.maxSessionTime * MINUTE_MS,
  idleExpiresMs: activeMs + config.maxIdleTime * MINUTE_MS,
});

/**
 * The ends of a session under the present settings: shorter times apply to sessions that have begun, and longer ones from their
 * next activity on.
 */
export function endsOf(session: StoredSession, config: SessionConfig, activeMs = session.activeMs): SessionEnds {
  const present = endsOfNew(session.createdMs, activeMs, config);
  const idleExpiresMs = activeMs > session.activeMs ? present.idleExpiresMs : session.idleExpiresMs;
  return {
    expiresMs: Math.min(session.expiresMs, present.expiresMs),
    idleExpiresMs: Math.min(idleExpiresMs, present.idleExpiresMs),
  };
}

/**
 * How much later than the stored activity one must be to be stored: a minute at most, and a fifteenth of the idle time, because
 * unstored activity makes a session end early.
 */
const storedActivityStepMs = (config: SessionConfig): number =>
  Math.min(MINUTE_MS, (config.maxIdleTime * MINUTE_MS) / 15);

/** The instants after which a session must have begun, and been active, to live under the present settings. */
export const livingSince = (nowMs: number, config: SessionConfig) => ({
  nowMs,
  createdAfterMs: nowMs - config.maxSessionTime * MINUTE_MS,
  activeAfterMs: nowMs - config.maxIdleTime * MINUTE_MS,
});

/** Operations on tenants are for applications. */
const SCOPES_OF_SESSION: ReadonlySet<string> = new Set(SCOPES.filter((scope) => scope !== 'tenants:manage'));

/** The client id of calls by a session. */
const clientIdOf = (sessionId: string): string => `session:${sessionId}`;

/** The caller of a session: its identity, with every scope that an identity can have and its present capabilities. */
const callerOfSession = (tenant: string, session: CallingSession): Caller => ({
  tenant,
  clientId: clientIdOf(session.id),
  clientCreated: null,
  scopes: SCOPES_OF_SESSION,
  identityId: session.identityId,
  capabilities: session.capabilities,
  sessionId: session.id,
  provenMs: session.provenMs,
});
