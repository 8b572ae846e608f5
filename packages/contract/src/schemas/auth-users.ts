import { type AuthUser, CAPABILITIES, CAPABILITIES_MAX, knownTextRule, SIGN_IN_LINK_HOURS } from '@access-admin/domain';
import * as v from 'valibot';
import {
  closedObject,
  distinct,
  listOfAtMost,
  optionalWithin,
  shownText,
  timestamp,
  wholeNumber,
} from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { illegal } from '../validation/validate.ts';

const millis = v.nullable(wholeNumber);

/** Known capability names without repetitions. */
export const capabilities = distinct(
  listOfAtMost(
    v.picklist(
      CAPABILITIES,
      illegal((input) => knownTextRule(CAPABILITIES, input)),
    ),
    CAPABILITIES_MAX,
    'capabilities',
  ),
);

/** Patches of the capabilities; removing the member removes all of them. */
export const authUserPatch = resourcePatch(closedObject({ capabilities }), { capabilities: 'emptied' });

/** Response of the auth user operations. */
export const authUser = responseSchema<AuthUser>('Authuser')(
  closedObject({
    tenant: v.string(),
    id: v.string(),
    uid: v.string(),
    profile: v.string(),
    displayName: shownText,
    alias: shownText,
    firstname: shownText,
    lastname: shownText,
    email: shownText,
    personalEmail: shownText,
    phone: shownText,
    workPhone: shownText,
    identificationNumber: shownText,
    lastPasswordChangeDate: v.nullable(timestamp),
    lastLoginTimestamp: millis,
    currentLoginTimestamp: millis,
    lastUnlockTimestamp: v.nullable(timestamp),
    capabilities: v.array(v.picklist(CAPABILITIES)),
  }),
);

/** A passkey, without its key. Times are ISO 8601 in UTC with milliseconds. */
export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string | null;
}

/** What an auth user signs in with, without any secret. Times are ISO 8601 in UTC with milliseconds. */
export interface Credentials {
  /** When the password of this service was set; null without one. */
  readonly password: { readonly changed: string } | null;
  /** Whether an authenticator app is set up. */
  readonly totp: boolean;
  readonly passkeys: readonly ListedPasskey[];
  readonly recoveryCodesLeft: number;
  /** The failed attempts that count for a lock at present. */
  readonly failedAttempts: number;
  /** When its lock ends; null without one. */
  readonly lockedUntil: string | null;
}

const count = v.pipe(wholeNumber, v.minValue(0));

/** Response of the read of credentials. */
export const credentials = responseSchema<Credentials>('Credentials')(
  closedObject({
    password: v.nullable(closedObject({ changed: timestamp })),
    totp: v.boolean(),
    passkeys: v.array(
      closedObject({ id: v.string(), name: v.string(), created: timestamp, lastUsed: v.nullable(timestamp) }),
    ),
    recoveryCodesLeft: count,
    failedAttempts: count,
    lockedUntil: v.nullable(timestamp),
  }),
);

/** Request for a sign-in link. */
export const newSignInLink = requestSchema(
  'CreateSignInLinkRequest',
  closedObject({ hours: optionalWithin({ ...SIGN_IN_LINK_HOURS, byDefault: SIGN_IN_LINK_HOURS.max }) }),
);

/** A link with which an identity sets a password or a passkey, once. */
export interface SignInLink {
  readonly url: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly expires: string;
}

/** Response of the creation of a sign-in link: the only one that has it. */
export const signInLink = responseSchema<SignInLink>('SignInLink')(
  closedObject({ url: v.string(), expires: timestamp }),
);
