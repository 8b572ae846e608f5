import { failure, type IllegalValue } from '../../basics/result/failure.ts';

/** How long sessions last. */
export interface SessionConfig {
  /** In minutes without activity. */
  readonly maxIdleTime: number;
  /** Whether the cookie of a session outlives the browser. */
  readonly rememberMe: boolean;
  /** In minutes since signing in; greater than `maxIdleTime`. */
  readonly maxSessionTime: number;
}

/** The session config of a tenant that has not set one. */
export const DEFAULT_SESSION_CONFIG: SessionConfig = { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 };

/** Refuses sessions that end before they can be idle. Null when valid. */
export const validateSessionTimes = ({ maxIdleTime, maxSessionTime }: SessionConfig): IllegalValue | null =>
  maxSessionTime > maxIdleTime ? null : failure('IllegalValue', 'maxSessionTime', 'must be greater than maxIdleTime');
