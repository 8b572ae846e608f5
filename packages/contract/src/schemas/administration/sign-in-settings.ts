import {
  LOCKOUT_BOUNDS,
  type LockoutConfig,
  NETWORK_COUNTRIES_MAX,
  NETWORK_RANGES_MAX,
  type NetworkConfig,
  SESSION_BOUNDS,
  type SessionConfig,
} from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../../validation/fields.ts';
import { responseSchema } from '../../validation/response-schema.ts';

/** A whole number; the domain validates its bounds. */
const count = ({ min, max }: { readonly min: number; readonly max: number }) =>
  v.pipe(v.number(), v.metadata({ type: 'integer', minimum: min, maximum: max }));

/** The properties of a lockout config. */
export const lockoutEntries = {
  maximumAttempts: count(LOCKOUT_BOUNDS.maximumAttempts),
  lockoutDuration: count(LOCKOUT_BOUNDS.lockoutDuration),
  lockoutWindow: count(LOCKOUT_BOUNDS.lockoutWindow),
};

/** Response of the operations on the lockout config. */
export const lockoutConfig = responseSchema<LockoutConfig>()(closedObject(lockoutEntries));

/** The properties of a session config. */
export const sessionEntries = {
  maxIdleTime: count(SESSION_BOUNDS.maxIdleTime),
  rememberMe: v.boolean(),
  maxSessionTime: count(SESSION_BOUNDS.maxSessionTime),
};

/** Response of the operations on the session config. */
export const sessionConfig = responseSchema<SessionConfig>()(closedObject(sessionEntries));

// The domain validates the number of items and each of them.
const texts = (maxItems: number, description: string) =>
  v.nullable(v.pipe(v.array(v.string()), v.metadata({ maxItems, description })));
const range = texts(NETWORK_RANGES_MAX, 'IPv4 and IPv6 addresses, and ranges of them such as `10.0.0.0/8`.');
const geolocation = texts(NETWORK_COUNTRIES_MAX, 'Countries as two capital letters, such as `CH`.');

/** The properties of a network config. */
export const networkEntries = { range, geolocation, whitelisted: v.boolean() };

/** Response of the operations on the network config. */
export const networkConfig = responseSchema<NetworkConfig>()(closedObject(networkEntries));

/** Request that replaces the network config; properties left out get their defaults. */
export const newNetworkConfig = closedObject({
  range: v.optional(range, null),
  geolocation: v.optional(geolocation, null),
  whitelisted: v.optional(v.boolean(), false),
});
