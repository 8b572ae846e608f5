// Limits that callers do not meet; those that they do are published by the contract.

/** The most webhooks that one worker works on at the same time. */
export const WEBHOOKS_AT_ONCE_MAX = 512;

/** The most failing webhooks of a tenant that a worker attempts concurrently. */
export const FAILING_OF_TENANT_MAX = 8;

/** After how many days in which all attempts have failed a webhook is disabled. */
export const FAILING_DAYS_MAX = 5;

/** How long deliveries are kept, in days. */
export const DELIVERY_KEPT_DAYS = 30;

/** The attempts that a delivery shows. */
export const ATTEMPTS_SHOWN_MAX = 20;
