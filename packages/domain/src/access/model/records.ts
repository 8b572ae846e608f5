import type { AuthProfileSettings } from '../../administration/auth-profile.ts';
import type { AuthUser } from '../../administration/auth-user.ts';
import type { ExternalData } from './attributes.ts';
import type { Grant } from './grants.ts';

/** The longest id of a record, in characters. */
export const RESOURCE_ID_LENGTH_MAX = 128;

/** The form of an id, without a lookahead for `.` and `..`: regular expressions of some languages have none. */
export const RESOURCE_ID = /^(?:\.{0,2}[A-Za-z0-9:_-]|\.{3})[A-Za-z0-9:_.-]*$/;

/** Whether a text is a valid id of a record: 1 to 128 of `A-Z a-z 0-9 : _ . -`, but neither `.` nor `..`. */
export const isResourceId = (text: string): boolean => text.length <= RESOURCE_ID_LENGTH_MAX && RESOURCE_ID.test(text);

/** The text of a cause about a record that does not exist. An invalid id may have any length and is not repeated. */
export const textOfMissing = (kind: string, id: string): string =>
  isResourceId(id) ? `there is no ${kind} ${id}` : `is not the id of any ${kind}`;

/** What an identity can hold or request. */
export const ACCESS_TYPES = ['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

/** A reference to an entitlement, an access profile or a role. */
export interface AccessRef {
  readonly type: AccessType;
  readonly id: string;
}

/**
 * An access ref that holds from `start` up to, and without, `end`: ISO 8601 with an offset, stored in UTC with milliseconds.
 * Without `start` it has always held, without `end` it does not end; if both are equal, it never holds.
 */
export interface TimedAccessRef extends AccessRef {
  readonly start?: string;
  readonly end?: string;
}

/** A single right in a source system. */
export interface Entitlement extends ExternalData {
  readonly id: string;
  readonly name: string;
  readonly source: string | null;
  /** What it lets its holders do, each once; left out where that is unknown. */
  readonly grants?: readonly Grant[];
}

/** A bundle of entitlements (ids). */
export interface AccessProfile extends ExternalData {
  readonly id: string;
  readonly name: string;
  readonly entitlements: readonly string[];
}

/** A bundle of access profiles and entitlements (ids). */
export interface Role extends ExternalData {
  readonly id: string;
  readonly name: string;
  readonly accessProfiles: readonly string[];
  readonly entitlements: readonly string[];
}

/** A group of identities that share an authentication configuration. */
export interface IdentityProfile {
  readonly id: string;
  readonly name: string;
  readonly authProfile: AuthProfileSettings;
}

/** A person or thing that holds access. */
export interface Identity extends Omit<AuthUser, 'tenant' | 'profile'>, ExternalData {
  readonly identityProfile: string;
  /** False: it cannot sign in, and nothing acts as it. */
  readonly active: boolean;
  readonly access: readonly TimedAccessRef[];
}

/** The most assignments with a window that an identity has. */
export const TIMED_ASSIGNMENTS_MAX = 1_000;

/** The most assignments of an identity. */
export const ASSIGNMENTS_MAX = 10_000;

/** The part of the access model that policies and predictions refer to. */
export interface Catalogue {
  readonly entitlements: readonly Entitlement[];
  readonly accessProfiles: readonly AccessProfile[];
  readonly roles: readonly Role[];
}
