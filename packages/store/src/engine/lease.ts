/** The longest lease that a worker may ask for. */
export const LEASE_MS_MAX = 3_600_000;

/** The longest that a worker may put off a check that it gives back: what is off further than this and a lease was set by a clock that was ahead. */
export const RETRY_DELAY_MS_MAX = 10_000;
