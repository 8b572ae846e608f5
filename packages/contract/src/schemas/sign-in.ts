import {
  AUTH_PROFILE_TYPES,
  DRY_RUN_SAMPLE_MAX,
  isCountry,
  LOCKOUT_BOUNDS,
  type LockoutConfig,
  NETWORK_COUNTRIES_MAX,
  NETWORK_RANGES_MAX,
  type NetworkConfig,
  parseAddress,
  SESSION_BOUNDS,
  type SessionConfig,
  SIGN_IN_OUTCOMES,
  SIGN_IN_REASONS,
  type SignInDecision,
  type SignInDryRun,
} from '@access-admin/domain';
import * as v from 'valibot';
import { NAME_LENGTH_MAX } from '../limits.ts';
import { atMost, closedObject, optionalInstant, recordId, wholeNumber } from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { failsWith } from '../validation/validate.ts';

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
export const lockoutConfig = responseSchema<LockoutConfig>('LockoutConfig')(closedObject(lockoutEntries));

/** The properties of a session config. */
export const sessionEntries = {
  maxIdleTime: count(SESSION_BOUNDS.maxIdleTime),
  rememberMe: v.boolean(),
  maxSessionTime: count(SESSION_BOUNDS.maxSessionTime),
};

/** Response of the operations on the session config. */
export const sessionConfig = responseSchema<SessionConfig>('SessionConfig')(closedObject(sessionEntries));

// The domain validates the number of items and each of them.
const texts = (maxItems: number, described: { readonly description: string; readonly pattern?: string }) =>
  v.nullable(v.pipe(v.array(v.pipe(v.string(), v.metadata({ minLength: 1, ...described }))), v.metadata({ maxItems })));
const COUNTRY = { description: 'A country as two capital letters, such as `CH`.', pattern: '^[A-Z]{2}$' };
const range = texts(NETWORK_RANGES_MAX, {
  description: 'An IPv4 or IPv6 address, or a range of them such as `10.0.0.0/8`.',
});
const geolocation = texts(NETWORK_COUNTRIES_MAX, COUNTRY);

/** The properties of a network config. */
export const networkEntries = { range, geolocation, whitelisted: v.boolean() };

/** Response of the operations on the network config. */
export const networkConfig = responseSchema<NetworkConfig>('NetworkConfig')(closedObject(networkEntries));

/** Request that replaces the network config; properties left out get their defaults. */
export const newNetworkConfig = requestSchema(
  'SetNetworkConfigRequest',
  closedObject({
    range: v.optional(range, null),
    geolocation: v.optional(geolocation, null),
    whitelisted: v.optional(v.boolean(), false),
  }),
);

/** An IPv4 or IPv6 address. */
export const ipAddress = v.pipe(
  v.string(),
  v.nonEmpty(failsWith('RequiredMissing', 'must not be empty')),
  v.check((text) => parseAddress(text) !== null, failsWith('IllegalValue', 'must be an IPv4 or IPv6 address')),
);

const country = v.pipe(
  v.string(),
  v.check(isCountry, failsWith('IllegalValue', 'must be a country as two capital letters, such as CH')),
  v.metadata(COUNTRY),
);

/** Request that asks what a sign-in would do. */
export const signInQuestion = requestSchema(
  'SignInQuestion',
  v.pipe(
    closedObject({
      identityId: v.exactOptional(recordId),
      username: v.exactOptional(
        v.pipe(v.string(), v.nonEmpty(failsWith('RequiredMissing', 'must not be empty')), atMost(NAME_LENGTH_MAX)),
      ),
      ip: ipAddress,
      country: v.optional(v.nullable(country), null),
      at: optionalInstant,
    }),
    v.check(
      ({ identityId, username }) => identityId !== undefined || username !== undefined,
      failsWith('RequiredMissing', 'must have identityId or username'),
    ),
    v.check(
      ({ identityId, username }) => identityId === undefined || username === undefined,
      failsWith('MalformedBody', 'must have identityId or username, not both'),
    ),
  ),
);

/** Response of the decision on a sign-in. */
export const signInDecision = responseSchema<SignInDecision>('SignInDecision')(
  closedObject({
    decision: v.picklist(SIGN_IN_OUTCOMES),
    reasons: v.array(v.picklist(SIGN_IN_REASONS)),
    authProfile: v.nullable(closedObject({ id: v.string(), name: v.string(), type: v.picklist(AUTH_PROFILE_TYPES) })),
    verifiedBy: v.nullable(v.picklist(['PASSWORD', 'APPLICATION'])),
  }),
);

const outcome = v.picklist(SIGN_IN_OUTCOMES);

/** Response of a dry-run of a change on which sign-ins depend. */
export const signInDryRun = responseSchema<SignInDryRun>('SignInDryRun')(
  closedObject({
    identities: wholeNumber,
    newlyBlocked: wholeNumber,
    newlySecondFactor: wholeNumber,
    withoutFactor: wholeNumber,
    sample: v.pipe(
      v.array(
        closedObject({
          identityId: v.string(),
          displayName: v.nullable(v.string()),
          before: outcome,
          after: outcome,
        }),
      ),
      v.maxLength(DRY_RUN_SAMPLE_MAX),
    ),
    wouldBeRefused: v.boolean(),
  }),
);
