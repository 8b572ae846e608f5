/** When failed attempts to sign in lock a user, and for how long. */
export interface LockoutConfig {
  readonly maximumAttempts: number;
  /** In minutes. */
  readonly lockoutDuration: number;
  /** In minutes: failures are counted within it. */
  readonly lockoutWindow: number;
}

/** The lockout config of a tenant that has not set one. */
export const DEFAULT_LOCKOUT_CONFIG: LockoutConfig = { maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 };
