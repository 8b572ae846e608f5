import { applyPatch, parseAllowedPatch } from '../basics/json-patch/apply.ts';
import type { Patch } from '../basics/json-patch/parse.ts';
import type { JsonPointer } from '../basics/json-patch/pointer.ts';
import { isObject } from '../basics/json-patch/value.ts';
import { type Failure, failure } from '../basics/result/failure.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import { directionIssueText } from '../basics/result/text.ts';

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

/** Parses a patch of an auth profile: its shape, and that it touches only the five settings. Needs no auth profile. */
export const parseAuthProfilePatch = (body: unknown): Result<Patch, Failure> =>
  parseAllowedPatch(body, { isAllowed: isSetting });

/**
 * Applies a patch of the five settings; removing a nullable setting sets it to null. Fails as `applyPatch` does, and with
 * `IllegalValue` or `LengthOutOfRange` when the resulting settings are invalid.
 */
export function patchAuthProfile(profile: AuthProfile, patch: Patch): Result<AuthProfile, Failure> {
  const { type, offNetwork, untrustedGeography, applicationId, applicationName } = profile;
  const settings = { type, offNetwork, untrustedGeography, applicationId, applicationName };
  const patched = applyPatch(settings, patch, { isAllowed: isSetting });
  if (!patched.ok) return patched;
  const parsed = parseSettings(patched.value);
  return parsed.ok ? ok({ ...profile, ...parsed.value }) : parsed;
}

const SETTINGS: readonly string[] = [
  'type',
  'offNetwork',
  'untrustedGeography',
  'applicationId',
  'applicationName',
] satisfies (keyof AuthProfileSettings)[];

const isSetting = ([name, ...below]: JsonPointer) =>
  name !== undefined && below.length === 0 && SETTINGS.includes(name);

function parseSettings(value: unknown): Result<AuthProfileSettings, Failure> {
  const given = isObject(value) ? value : {};
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
  // Characters are code points; a text has at most as many as it has code units.
  if (value === '' || (value.length > lengthMax && [...value].length > lengthMax))
    return fail(failure('LengthOutOfRange', at, `must have 1 to ${lengthMax} characters`));
  const wrongDirection = directionIssueText(value);
  return wrongDirection === null ? ok(value) : illegal(at, wrongDirection);
}
