import { patchResource } from '../../basics/json-patch/resource.ts';
import { isObject } from '../../basics/json-patch/value.ts';
import { type Failure, failure } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { type Bounds, parseFlag, parseWithin } from './fields.ts';

/** How long sessions last. */
export interface SessionConfig {
  /** In minutes without activity. */
  readonly maxIdleTime: number;
  /** Whether the cookie of a session outlives the browser. */
  readonly rememberMe: boolean;
  /** In minutes since signing in; greater than `maxIdleTime`. */
  readonly maxSessionTime: number;
}

/** The bounds of the times of a session config. */
export const SESSION_BOUNDS = {
  maxIdleTime: { min: 1, max: 1_440 },
  maxSessionTime: { min: 1, max: 10_080 },
} as const satisfies Partial<Record<keyof SessionConfig, Bounds>>;

/** The session config of a tenant that has not set one. */
export const DEFAULT_SESSION_CONFIG: SessionConfig = { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 };

/** Parses a session config. Fails with `IllegalValue` at the first invalid property. */
export function parseSessionConfig(value: unknown): Result<SessionConfig, Failure> {
  const given = isObject(value) ? value : {};
  const maxIdleTime = parseWithin(given['maxIdleTime'], 'maxIdleTime', SESSION_BOUNDS.maxIdleTime);
  if (!maxIdleTime.ok) return maxIdleTime;
  const rememberMe = parseFlag(given['rememberMe'], 'rememberMe');
  if (!rememberMe.ok) return rememberMe;
  const maxSessionTime = parseWithin(given['maxSessionTime'], 'maxSessionTime', SESSION_BOUNDS.maxSessionTime);
  if (!maxSessionTime.ok) return maxSessionTime;
  if (maxSessionTime.value <= maxIdleTime.value) {
    return fail(failure('IllegalValue', 'maxSessionTime', 'must be greater than maxIdleTime'));
  }
  return ok({
    maxIdleTime: maxIdleTime.value,
    rememberMe: rememberMe.value,
    maxSessionTime: maxSessionTime.value,
  });
}

/** Patches of a session config. Fail as `parseSessionConfig` does for the result. */
export const { parse: parseSessionConfigPatch, apply: patchSessionConfig } = patchResource<
  SessionConfig,
  SessionConfig
>(parseSessionConfig, {
  maxIdleTime: 'scalar',
  rememberMe: 'scalar',
  maxSessionTime: 'scalar',
});
