/** The kinds of an auth profile. */
export const AUTH_PROFILE_TYPES = ['BLOCK', 'MFA', 'NON_PTA', 'PTA'] as const;

/** The kind of an auth profile. */
export type AuthProfileType = (typeof AUTH_PROFILE_TYPES)[number];

/** The settings of an auth profile that callers may change. */
export interface AuthProfileSettings {
  readonly type: AuthProfileType;
  /** Whether access from off network is blocked. */
  readonly offNetwork: boolean;
  /** Whether access from untrusted geographies is blocked. */
  readonly untrustedGeography: boolean;
  readonly applicationId: string | null;
  readonly applicationName: string | null;
}

/** The authentication configuration of an identity profile, with the id and name of that profile. */
export interface AuthProfile extends AuthProfileSettings {
  readonly id: string;
  readonly name: string;
  /** Read only. */
  readonly strongAuthLogin: boolean;
}

/** An auth profile in a list. */
export interface AuthProfileSummary {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly type: AuthProfileType;
}

/** The settings of a new auth profile. */
export const FIRST_AUTH_PROFILE: AuthProfileSettings = {
  type: 'NON_PTA',
  offNetwork: false,
  untrustedGeography: false,
  applicationId: null,
  applicationName: null,
};
