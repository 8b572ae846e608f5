import * as v from 'valibot';
import { closedObject } from '../../validation/fields.ts';
import { responseSchema } from '../../validation/response-schema.ts';

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

const instant = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The same as a schema. */
export const credentials = responseSchema<Credentials>()(
  closedObject({
    password: v.nullable(closedObject({ changed: instant })),
    totp: v.boolean(),
    passkeys: v.array(
      closedObject({ id: v.string(), name: v.string(), created: instant, lastUsed: v.nullable(instant) }),
    ),
    recoveryCodesLeft: count,
    failedAttempts: count,
    lockedUntil: v.nullable(instant),
  }),
);
