import { type Branding, UNSET_BRANDING, updateBranding } from '../administration/branding/branding.ts';
import { parseLockoutConfig } from '../administration/sign-in/lockout-config.ts';
import { parseNetworkConfig } from '../administration/sign-in/network-config.ts';
import { parseSessionConfig } from '../administration/sign-in/session-config.ts';
import {
  configuredSettings,
  DEFAULT_SIGN_IN_SETTINGS,
  type SignInSettings,
} from '../administration/sign-in/settings.ts';
import { type UiMetadata, UNSET_UI_METADATA, updateUiMetadata } from '../administration/ui-metadata.ts';
import { equalJson } from '../basics/json-patch/value.ts';
import { keysOf } from '../basics/objects/keys-of.ts';
import type { Failure } from '../basics/result/failure.ts';
import { ok, type Result } from '../basics/result/result.ts';
import type { ImportBase, ImportPlan, RecordKind, StoredKind } from './records.ts';
import { isDeletion, type LastRecords, type Upsert } from './references.ts';

/** A kind of which a tenant has one record, with the id `tenant`. */
export type SettingKind = Exclude<RecordKind, StoredKind>;

type SignInKind = keyof typeof NAMES;

/** What a plan says of settings. */
export type SettingOfPlan = 'uiMetadata' | 'branding' | 'signIn';

/** The setting of sign-in that records of a kind hold. */
const NAMES = {
  lockoutConfig: 'lockout',
  sessionConfig: 'session',
  networkConfig: 'network',
} as const satisfies Partial<Record<SettingKind, keyof SignInSettings>>;

const PARSERS: { readonly [K in keyof SignInSettings]: (value: unknown) => Result<SignInSettings[K], Failure> } = {
  lockout: parseLockoutConfig,
  session: parseSessionConfig,
  network: parseNetworkConfig,
};

/** Whether a tenant has only one record of this kind. */
export const isSetting = (kind: RecordKind): kind is SettingKind =>
  kind === 'uiMetadata' || kind === 'branding' || Object.hasOwn(NAMES, kind);

/** The value of a setting after an upsert, which resets the properties that it leaves out. Null for other records. */
export function settingOf(
  record: Upsert,
): Result<UiMetadata | Branding | SignInSettings[keyof SignInSettings], Failure> | null {
  if (record.kind === 'uiMetadata') return updateUiMetadata(UNSET_UI_METADATA, record);
  if (record.kind === 'branding') return updateBranding(UNSET_BRANDING, record);
  return isSetting(record.kind) ? signInSettingOf(record, NAMES[record.kind]) : null;
}

const signInSettingOf = <K extends keyof SignInSettings>(record: object, name: K): Result<SignInSettings[K], Failure> =>
  PARSERS[name]({ ...DEFAULT_SIGN_IN_SETTINGS[name], ...record });

/** The settings that an import changes, with their new values. */
export function planSettings(last: LastRecords, base: ImportBase): Result<Pick<ImportPlan, SettingOfPlan>, Failure> {
  const uiMetadata = uiMetadataAfter(last);
  if (!uiMetadata.ok) return uiMetadata;
  const branding = brandingAfter(last);
  if (!branding.ok) return branding;
  const changed: { -readonly [K in keyof SignInSettings]?: SignInSettings[K] } = {};
  for (const kind of keysOf(NAMES)) {
    const name = NAMES[kind];
    const after = signInSettingAfter(last, kind);
    if (after === null) continue;
    if (!after.ok) return after;
    if (!equalJson(after.value, base.signIn[name])) Object.assign(changed, { [name]: after.value });
  }
  return ok({
    uiMetadata: unlessEqual(uiMetadata.value, base.uiMetadata),
    branding: unlessEqual(branding.value, base.branding),
    signIn: changed,
  });
}

const unlessEqual = <T>(after: T | null, before: T): T | null =>
  after === null || equalJson(after, before) ? null : after;

/** Null when the import has no UI metadata. */
function uiMetadataAfter(last: LastRecords): Result<UiMetadata | null, Failure> {
  const record = last.find('uiMetadata', 'tenant')?.record;
  if (record?.kind !== 'uiMetadata') return ok(null);
  return isDeletion(record) ? ok(UNSET_UI_METADATA) : updateUiMetadata(UNSET_UI_METADATA, record);
}

/** Null when the import has no branding. */
function brandingAfter(last: LastRecords): Result<Branding | null, Failure> {
  const record = last.find('branding', 'tenant')?.record;
  if (record?.kind !== 'branding') return ok(null);
  return isDeletion(record) ? ok(UNSET_BRANDING) : updateBranding(UNSET_BRANDING, record);
}

/** Null when the import has no such record. */
function signInSettingAfter(last: LastRecords, kind: SignInKind) {
  const record = last.find(kind, 'tenant')?.record;
  if (record === undefined) return null;
  const name = NAMES[kind];
  return isDeletion(record) ? ok(DEFAULT_SIGN_IN_SETTINGS[name]) : signInSettingOf(record, name);
}

/** Whether an import changes a setting. */
export function changesSetting(plan: Pick<ImportPlan, SettingOfPlan>, kind: SettingKind): boolean {
  if (kind === 'uiMetadata' || kind === 'branding') return plan[kind] !== null;
  return NAMES[kind] in plan.signIn;
}

/** Whether a setting has another value than that of a tenant that has not set it. */
export function isSet(base: Pick<ImportBase, SettingOfPlan>, kind: SettingKind): boolean {
  if (kind === 'uiMetadata') return !equalJson(base.uiMetadata, UNSET_UI_METADATA);
  if (kind === 'branding') return !equalJson(base.branding, UNSET_BRANDING);
  return NAMES[kind] in configuredSettings(base.signIn);
}
