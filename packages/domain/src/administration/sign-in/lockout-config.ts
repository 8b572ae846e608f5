import { patchResource } from '../../basics/json-patch/resource.ts';
import { isObject } from '../../basics/json-patch/value.ts';
import type { Failure } from '../../basics/result/failure.ts';
import { ok, type Result } from '../../basics/result/result.ts';
import { type Bounds, parseWithin } from './fields.ts';

/** When failed attempts to sign in lock a user, and for how long. */
export interface LockoutConfig {
  readonly maximumAttempts: number;
  /** In minutes. */
  readonly lockoutDuration: number;
  /** In minutes: failures are counted within it. */
  readonly lockoutWindow: number;
}

/** The bounds of each property of a lockout config. */
export const LOCKOUT_BOUNDS = {
  maximumAttempts: { min: 1, max: 15 },
  lockoutDuration: { min: 5, max: 60 },
  lockoutWindow: { min: 5, max: 60 },
} as const satisfies Record<keyof LockoutConfig, Bounds>;

/** The lockout config of a tenant that has not set one. */
export const DEFAULT_LOCKOUT_CONFIG: LockoutConfig = { maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 };

/** Parses a lockout config. Fails with `IllegalValue` at the first invalid property. */
export function parseLockoutConfig(value: unknown): Result<LockoutConfig, Failure> {
  const given = isObject(value) ? value : {};
  const parse = (name: keyof LockoutConfig) => parseWithin(given[name], name, LOCKOUT_BOUNDS[name]);
  const maximumAttempts = parse('maximumAttempts');
  if (!maximumAttempts.ok) return maximumAttempts;
  const lockoutDuration = parse('lockoutDuration');
  if (!lockoutDuration.ok) return lockoutDuration;
  const lockoutWindow = parse('lockoutWindow');
  if (!lockoutWindow.ok) return lockoutWindow;
  return ok({
    maximumAttempts: maximumAttempts.value,
    lockoutDuration: lockoutDuration.value,
    lockoutWindow: lockoutWindow.value,
  });
}

/** Patches of a lockout config. Fail as `parseLockoutConfig` does for the result. */
export const { parse: parseLockoutConfigPatch, apply: patchLockoutConfig } = patchResource<
  LockoutConfig,
  LockoutConfig
>(parseLockoutConfig, {
  maximumAttempts: 'scalar',
  lockoutDuration: 'scalar',
  lockoutWindow: 'scalar',
});
