import { CAPABILITIES, type Capability } from '@access-admin/domain';
import * as v from 'valibot';
import type { FilterFields } from '../query/filters.ts';
import { closedObject, timestamp } from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';

/** The fields that `filters` of the list of sessions can compare. */
export const SESSION_FILTERS = {
  identityId: { operators: ['eq'], kind: 'text' },
} as const satisfies FilterFields;

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

const ends = { expires: timestamp, idleExpires: timestamp };
const factors = v.array(v.picklist(FACTORS));

const listed = closedObject({
  id: v.string(),
  identityId: v.string(),
  authTime: timestamp,
  factors,
  framed: v.boolean(),
  address: v.nullable(v.string()),
  lastActive: timestamp,
  ...ends,
});

/** A session as lists show it. */
export const session = responseSchema<Session>('Session')(listed);

/** Response of the list of sessions. */
export const sessions = responseSchema<readonly Session[]>()(v.array(listed));

/** Response of the endpoint that shows the own session. */
export const currentSession = responseSchema<CurrentSession>('CurrentSession')(
  closedObject({
    identityId: v.string(),
    displayName: v.nullable(v.string()),
    capabilities: v.array(v.picklist(CAPABILITIES)),
    authTime: timestamp,
    factors,
    ...ends,
  }),
);
