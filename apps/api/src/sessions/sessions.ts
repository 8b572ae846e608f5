import type { AuditContext, Caller, SessionConfig } from '@access-admin/domain';
import type { CallingSession, SessionStore, SignInFactor } from '@access-admin/store';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../env.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import { isFramed } from '../http/cookies.ts';
import type { OriginOf } from '../sign-in/origin.ts';
import { callerOfSession } from './caller.ts';
import { hashOfToken, type NamedSession, type SessionCookie } from './cookie.ts';
import { endsOf, endsOfNew, type SessionEnds, storedActivityStepMs } from './times.ts';

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
   * Begins a session with a new token and sets its cookie; false where the identity, or the link that it began with, is gone. The
   * session of this browser before ends.
   */
  begin(
    auditContext: AuditContext,
    c: RequestContext,
    proven: Required<Pick<CallingSession, 'identityId' | 'factors' | 'linkGeneration' | 'usedLink'>>,
  ): Promise<boolean>;
  /** Ends the session of this browser, and removes its cookie. */
  end(auditContext: AuditContext, c: RequestContext): Promise<void>;
  /** Keeps that a factor was proven again within the session. */
  prove(live: LiveSession, factor: SignInFactor): Promise<void>;
}

export interface SessionsDeps {
  readonly sessions: Pick<SessionStore, 'find' | 'findLatest' | 'touch' | 'prove' | 'create' | 'end'>;
  readonly readConfig: (tenant: string) => Promise<SessionConfig>;
  readonly cookie: SessionCookie;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly originOf: OriginOf;
}

const TOUCHED_MAX = 50_000;

export function createSessions(deps: SessionsDeps): Sessions {
  const { sessions, cookie, now } = deps;
  const endNamed = async (auditContext: AuditContext, c: RequestContext) => {
    const named = cookie.read(c);
    if (named === null) return;
    const session = await sessions.findLatest(named.tenant, named.hash);
    if (session?.isFramed === named.isFramed) await sessions.end(auditContext, session.id);
  };
  return {
    find: createFind(deps),
    begin: async (auditContext, c, { identityId, factors, linkGeneration, usedLink }) => {
      const config = await deps.readConfig(auditContext.tenant);
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
      await endNamed(auditContext, c);
      cookie.write(c, token, config.rememberMe ? config.maxSessionTime * 60 : undefined);
      return true;
    },
    end: async (auditContext, c) => {
      await endNamed(auditContext, c);
      cookie.clear(c);
    },
    prove: async ({ session, named }, factor) => {
      const factors = [...new Set([...session.factors, factor])];
      await sessions.prove(named.tenant, named.hash, { provenMs: now().getTime(), factors });
    },
  };
}

function createFind({ sessions, cookie, now }: SessionsDeps): Sessions['find'] {
  const callers = new WeakMap<CallingSession, Caller>();
  // The latest activity that this process has seen: what is cached of a session has an earlier one.
  const touched = new LRUCache<string, number>({ max: TOUCHED_MAX });
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
