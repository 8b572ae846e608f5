import type { SessionConfig } from '@access-admin/domain';
import type { StoredSession } from '@access-admin/store';

const MINUTE_MS = 60_000;

/** When a session ends, in milliseconds since 1970. */
export interface SessionEnds {
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
 * a session ends earlier by what is not stored.
 */
export const storedActivityStepMs = (config: SessionConfig): number =>
  Math.min(MINUTE_MS, (config.maxIdleTime * MINUTE_MS) / 15);

/** The instants after which a session must have begun, and been active, to live under the present settings. */
export const livingSince = (nowMs: number, config: SessionConfig) => ({
  nowMs,
  createdAfterMs: nowMs - config.maxSessionTime * MINUTE_MS,
  activeAfterMs: nowMs - config.maxIdleTime * MINUTE_MS,
});
