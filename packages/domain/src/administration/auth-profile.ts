import type { Patch } from '../basics/json-patch/parse.ts';
import { type PatchedFields, patchResource } from '../basics/json-patch/resource.ts';
import { type Failure, failure } from '../basics/result/failure.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import { directionIssueText, lengthIssueText } from '../basics/result/text.ts';

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

/** The longest `applicationId`, in characters. */
export const APPLICATION_ID_LENGTH_MAX = 128;

/** The longest `applicationName`, in characters. */
export const APPLICATION_NAME_LENGTH_MAX = 256;

/** Patches of the five settings; removing a nullable setting sets it to null. */
const SETTINGS = patchResource<AuthProfileSettings, AuthProfileSettings>(parseSettings, {
  type: 'scalar',
  offNetwork: 'scalar',
  untrustedGeography: 'scalar',
  applicationId: 'scalar',
  applicationName: 'scalar',
});

/** Parses a patch of an auth profile: its shape, and that it touches only the five settings. Needs no auth profile. */
export const parseAuthProfilePatch = SETTINGS.parse;

/** Applies a patch of the five settings. Fails as `applyPatch` does, and with `IllegalValue` or `LengthOutOfRange`. */
export function patchAuthProfile(profile: AuthProfile, patch: Patch): Result<AuthProfile, Failure> {
  const settings = SETTINGS.apply(profile, patch);
  return settings.ok ? ok({ ...profile, ...settings.value }) : settings;
}

function parseSettings(given: PatchedFields): Result<AuthProfileSettings, Failure> {
  const { offNetwork, untrustedGeography } = given;
  const type = AUTH_PROFILE_TYPES.find((known) => known === given['type']);
  if (type === undefined) return illegal('type', `must be one of ${AUTH_PROFILE_TYPES.join(', ')}`);
  if (typeof offNetwork !== 'boolean') return illegal('offNetwork', 'must be a boolean');
  if (typeof untrustedGeography !== 'boolean') return illegal('untrustedGeography', 'must be a boolean');
  const applicationId = parseText(given['applicationId'], 'applicationId', APPLICATION_ID_LENGTH_MAX);
  if (!applicationId.ok) return applicationId;
  const applicationName = parseText(given['applicationName'], 'applicationName', APPLICATION_NAME_LENGTH_MAX);
  if (!applicationName.ok) return applicationName;
  const texts = { applicationId: applicationId.value, applicationName: applicationName.value };
  return ok({ type, offNetwork, untrustedGeography, ...texts });
}

const illegal = (at: string, text: string) => fail(failure('IllegalValue', at, text));

/** A removed text becomes null. */
function parseText(value: unknown, at: string, lengthMax: number): Result<string | null, Failure> {
  if (value === null || value === undefined) return ok(null);
  if (typeof value !== 'string') return illegal(at, 'must be a string or null');
  const wrongLength = lengthIssueText(value, lengthMax);
  if (wrongLength !== null) return fail(failure('LengthOutOfRange', at, wrongLength));
  const wrongDirection = directionIssueText(value);
  return wrongDirection === null ? ok(value) : illegal(at, wrongDirection);
}

/** The settings of a new auth profile. */
export const FIRST_AUTH_PROFILE: AuthProfileSettings = {
  type: 'NON_PTA',
  offNetwork: false,
  untrustedGeography: false,
  applicationId: null,
  applicationName: null,
};
