import {
  AUTH_PROFILE_TYPES,
  COUNTRY,
  DRY_RUN_SAMPLE_MAX,
  isAddressRange,
  type LockoutConfig,
  type NetworkConfig,
  parseAddress,
  type SessionConfig,
  SIGN_IN_OUTCOMES,
  SIGN_IN_REASONS,
  type SignInDecision,
  type SignInDryRun,
} from '@access-admin/domain';
import * as v from 'valibot';
import { NAME_LENGTH_MAX, NETWORK_COUNTRIES_MAX, NETWORK_RANGES_MAX } from '../limits.ts';
import {
  atMost,
  closedObject,
  listOfAtMost,
  optionalInstant,
  recordId,
  wholeNumber,
  within,
} from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { failsWith, illegal } from '../validation/validate.ts';

/** The properties of a lockout config. */
export const lockoutEntries = {
  maximumAttempts: within(1, 15),
  lockoutDuration: within(5, 60),
  lockoutWindow: within(5, 60),
};

/** Response of the operations on the lockout config. */
export const lockoutConfig = responseSchema<LockoutConfig>('LockoutConfig')(closedObject(lockoutEntries));

/** Patches of a lockout config. */
export const lockoutPatch = resourcePatch(closedObject(lockoutEntries), {
  maximumAttempts: 'scalar',
  lockoutDuration: 'scalar',
  lockoutWindow: 'scalar',
});

/** The properties of a session config. */
export const sessionEntries = {
  maxIdleTime: within(1, 1_440),
  rememberMe: v.boolean(),
  maxSessionTime: within(1, 10_080),
};

/** Response of the operations on the session config. */
export const sessionConfig = responseSchema<SessionConfig>('SessionConfig')(closedObject(sessionEntries));

/** Patches of a session config. The domain validates that its times fit together. */
export const sessionPatch = resourcePatch(closedObject(sessionEntries), {
  maxIdleTime: 'scalar',
  rememberMe: 'scalar',
  maxSessionTime: 'scalar',
});

const country = v.pipe(
  v.string(),
  v.regex(COUNTRY, illegal('must be a country as two capital letters, such as CH')),
  v.metadata({ description: 'A country as two capital letters, such as `CH`.' }),
);
const NO_RANGE = illegal('must be an IPv4 or IPv6 address, or a range of them such as 10.0.0.0/8 or 2001:db8::/32');
const addressRange = v.pipe(
  v.string(),
  v.nonEmpty(NO_RANGE),
  v.check(isAddressRange, NO_RANGE),
  v.metadata({ description: 'An IPv4 or IPv6 address, or a range of them such as `10.0.0.0/8`.' }),
);

/** The properties of a network config. */
export const networkEntries = {
  range: v.nullable(listOfAtMost(addressRange, NETWORK_RANGES_MAX, 'items')),
  geolocation: v.nullable(listOfAtMost(country, NETWORK_COUNTRIES_MAX, 'items')),
  whitelisted: v.boolean(),
};

/** Response of the operations on the network config. */
export const networkConfig = responseSchema<NetworkConfig>('NetworkConfig')(closedObject(networkEntries));

/** Request that replaces the network config; properties left out get their defaults. */
export const newNetworkConfig = requestSchema(
  'SetNetworkConfigRequest',
  closedObject({
    range: v.optional(networkEntries.range, null),
    geolocation: v.optional(networkEntries.geolocation, null),
    whitelisted: v.optional(networkEntries.whitelisted, false),
  }),
);

/** Patches of a network config; a list that is removed is null. */
export const networkPatch = resourcePatch(newNetworkConfig, {
  range: 'list',
  geolocation: 'list',
  whitelisted: 'scalar',
});

/** An IPv4 or IPv6 address. */
export const ipAddress = v.pipe(
  v.string(),
  v.nonEmpty(failsWith('RequiredMissing', 'must not be empty')),
  v.check((text) => parseAddress(text) !== null, illegal('must be an IPv4 or IPv6 address')),
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
