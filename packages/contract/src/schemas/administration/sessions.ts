import { CAPABILITIES, type Capability, SIGN_IN_LINK_HOURS } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../../validation/fields.ts';
import { responseSchema } from '../../validation/response-schema.ts';
import { issueText } from '../../validation/validate.ts';

/** The ways in which an identity has proven itself. */
const FACTORS = ['PASSWORD', 'PASSKEY', 'TOTP', 'RECOVERY_CODE', 'LINK', 'APPLICATION'] as const;

/** A session of an identity. Times are ISO 8601 in UTC with milliseconds. */
export interface Session {
  readonly id: string;
  readonly identityId: string;
  /** When it began. */
  readonly authTime: string;
  readonly factors: readonly (typeof FACTORS)[number][];
  /** Whether it began in a frame. */
  readonly framed: boolean;
  /** The address that it began from; null where that is not known. */
  readonly address: string | null;
  /** The last activity, to the minute. */
  readonly lastActive: string;
  readonly expires: string;
  /** When it ends without further activity. */
  readonly idleExpires: string;
}

/** The session of the cookie of a request. */
export interface CurrentSession
  extends Pick<Session, 'identityId' | 'authTime' | 'factors' | 'expires' | 'idleExpires'> {
  readonly displayName: string | null;
  readonly capabilities: readonly Capability[];
}

const instant = v.pipe(v.string(), v.isoTimestamp());
const ends = { expires: instant, idleExpires: instant };
const factors = v.array(v.picklist(FACTORS));

const listed = closedObject({
  ...{ id: v.string(), identityId: v.string(), authTime: instant, factors, framed: v.boolean() },
  ...{ address: v.nullable(v.string()), lastActive: instant },
  ...ends,
});

/** A session as lists show it. */
export const session = responseSchema<Session>()(listed);

/** Response of the list of sessions. */
export const sessions = responseSchema<readonly Session[]>()(v.array(listed));

/** Response of the endpoint that shows the own session. */
export const currentSession = responseSchema<CurrentSession>()(
  closedObject({
    identityId: v.string(),
    displayName: v.nullable(v.string()),
    capabilities: v.array(v.picklist(CAPABILITIES)),
    ...{ authTime: instant, factors, ...ends },
  }),
);

const HOURS = `must be a whole number from ${SIGN_IN_LINK_HOURS.min} to ${SIGN_IN_LINK_HOURS.max}`;

/** Request for a sign-in link. */
export const newSignInLink = closedObject({
  hours: v.optional(
    v.pipe(
      v.number(),
      v.check(
        (hours) => Number.isInteger(hours) && hours >= SIGN_IN_LINK_HOURS.min && hours <= SIGN_IN_LINK_HOURS.max,
        issueText('IllegalValue', HOURS),
      ),
      v.metadata({ type: 'integer', minimum: SIGN_IN_LINK_HOURS.min, maximum: SIGN_IN_LINK_HOURS.max }),
    ),
    SIGN_IN_LINK_HOURS.max,
  ),
});

/** A link with which an identity sets a password or a passkey, once. */
export interface SignInLink {
  readonly url: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly expires: string;
}

/** The same as a schema. */
export const signInLink = responseSchema<SignInLink>()(closedObject({ url: v.string(), expires: instant }));
