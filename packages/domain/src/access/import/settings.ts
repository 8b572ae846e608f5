import { parseLockoutConfig } from '../../administration/sign-in/lockout-config.ts';
import { parseNetworkConfig } from '../../administration/sign-in/network-config.ts';
import { parseSessionConfig } from '../../administration/sign-in/session-config.ts';
import {
  configuredSettings,
  DEFAULT_SIGN_IN_SETTINGS,
  type SignInSettings,
} from '../../administration/sign-in/settings.ts';
import { type UiMetadata, UNSET_UI_METADATA, updateUiMetadata } from '../../administration/ui-metadata.ts';
import { equalJson } from '../../basics/json-patch/value.ts';
import { keysOf } from '../../basics/objects/keys-of.ts';
import type { Failure } from '../../basics/result/failure.ts';
import { ok, type Result } from '../../basics/result/result.ts';
import type { ImportBase, ImportPlan, RecordKind, StoredKind } from './records.ts';
import { isDeletion, type LastRecords, type Upsert } from './references.ts';

/** A kind of which a tenant has one record, with the id `tenant`. */
export type SettingKind = Exclude<RecordKind, StoredKind>;

type SignInKind = Exclude<SettingKind, 'uiMetadata'>;

/** The setting of sign-in that records of a kind hold. */
const NAMES = {
  lockoutConfig: 'lockout',
  sessionConfig: 'session',
  networkConfig: 'network',
} as const satisfies Record<SignInKind, keyof SignInSettings>;

const PARSERS: { readonly [K in keyof SignInSettings]: (value: unknown) => Result<SignInSettings[K], Failure> } = {
  lockout: parseLockoutConfig,
  session: parseSessionConfig,
  network: parseNetworkConfig,
};

/** Whether a tenant has only one record of this kind. */
export const isSetting = (kind: RecordKind): kind is SettingKind => kind === 'uiMetadata' || Object.hasOwn(NAMES, kind);

/** The value of a setting after an upsert, which resets the properties that it leaves out. Null for other records. */
export function settingOf(record: Upsert): Result<UiMetadata | SignInSettings[keyof SignInSettings], Failure> | null {
  if (record.kind === 'uiMetadata') return updateUiMetadata(UNSET_UI_METADATA, record);
  return isSetting(record.kind) ? signInSettingOf(record, NAMES[record.kind]) : null;
}

const signInSettingOf = <K extends keyof SignInSettings>(record: object, name: K): Result<SignInSettings[K], Failure> =>
  PARSERS[name]({ ...DEFAULT_SIGN_IN_SETTINGS[name], ...record });

/** The settings that an import changes, with their new values. */
export function planSettings(
  last: LastRecords,
  { uiMetadata: metadata, signIn }: ImportBase,
): Result<Pick<ImportPlan, 'uiMetadata' | 'signIn'>, Failure> {
  const uiMetadata = uiMetadataAfter(last);
  if (!uiMetadata.ok) return uiMetadata;
  const changed: { -readonly [K in keyof SignInSettings]?: SignInSettings[K] } = {};
  for (const kind of keysOf(NAMES)) {
    const name = NAMES[kind];
    const after = signInSettingAfter(last, kind);
    if (after === null) continue;
    if (!after.ok) return after;
    if (!equalJson(after.value, signIn[name])) Object.assign(changed, { [name]: after.value });
  }
  return ok({
    uiMetadata: equalJson(uiMetadata.value ?? metadata, metadata) ? null : uiMetadata.value,
    signIn: changed,
  });
}

/** Null when the import has no UI metadata. */
function uiMetadataAfter(last: LastRecords): Result<UiMetadata | null, Failure> {
  const record = last.find('uiMetadata', 'tenant')?.record;
  if (record?.kind !== 'uiMetadata') return ok(null);
  return isDeletion(record) ? ok(UNSET_UI_METADATA) : updateUiMetadata(UNSET_UI_METADATA, record);
}

/** Null when the import has no such record. */
function signInSettingAfter(last: LastRecords, kind: SignInKind) {
  const record = last.find(kind, 'tenant')?.record;
  if (record === undefined) return null;
  const name = NAMES[kind];
  return isDeletion(record) ? ok(DEFAULT_SIGN_IN_SETTINGS[name]) : signInSettingOf(record, name);
}

/** Whether an import changes a setting. */
export const changesSetting = ({ uiMetadata, signIn }: Pick<ImportPlan, 'uiMetadata' | 'signIn'>, kind: SettingKind) =>
  kind === 'uiMetadata' ? uiMetadata !== null : NAMES[kind] in signIn;

/** Whether a setting has another value than that of a tenant that has not set it. */
export const isSet = ({ uiMetadata, signIn }: Pick<ImportBase, 'uiMetadata' | 'signIn'>, kind: SettingKind): boolean =>
  kind === 'uiMetadata' ? !equalJson(uiMetadata, UNSET_UI_METADATA) : NAMES[kind] in configuredSettings(signIn);
