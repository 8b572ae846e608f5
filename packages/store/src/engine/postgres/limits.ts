/** Time limits of the engine, in milliseconds. */
export interface PostgresLimits {
  /** To establish a connection, or to get one from a pool. */
  readonly connectMs: number;
  /** For the server to finish a statement, or to get a lock. */
  readonly statementMs: number;
  readonly lockMs: number;
  /** For what is tried again soon, and must not hold up what is of other tenants. */
  readonly workLockMs: number;
  /** Longer than `statementMs`, so exceeding it means a dead connection. */
  readonly responseMs: number;
  /** How long a call retries, and how long when the outcome of a write is unknown. */
  readonly retryMs: number;
  readonly unknownOutcomeMs: number;
  /** A write that has waited this long behind one that failed is not tried. */
  readonly queueMs: number;
  readonly pingMs: number;
  /** Between two polls for changed tenants. */
  readonly pollEveryMs: number;
  /** The greatest age of cached reads, below the promised second. */
  readonly freshMs: number;
  /** Between two calls of listeners without a commit. */
  readonly notifyEveryMs: number;
  readonly reconnectMs: number;
}

export const POSTGRES_LIMITS: PostgresLimits = {
  connectMs: 2_000,
  statementMs: 10_000,
  lockMs: 5_000,
  workLockMs: 250,
  responseMs: 15_000,
  retryMs: 2_000,
  unknownOutcomeMs: 6_000,
  queueMs: 2_000,
  pingMs: 500,
  pollEveryMs: 250,
  freshMs: 700,
  notifyEveryMs: 1_000,
  reconnectMs: 100,
};
