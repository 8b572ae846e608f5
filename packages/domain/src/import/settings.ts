import { UNSET_BRANDING } from '../administration/branding.ts';
import { validateSessionTimes } from '../administration/sign-in/session-config.ts';
import {
  configuredSettings,
  DEFAULT_SIGN_IN_SETTINGS,
  type SignInSettings,
} from '../administration/sign-in/settings.ts';
import { UNSET_UI_METADATA } from '../administration/ui-metadata.ts';
import { equalJson } from '../basics/json-patch/value.ts';
import { keysOf } from '../basics/objects/keys-of.ts';
import type { Failure } from '../basics/result/failure.ts';
import type { ImportBase, ImportPlan, RecordKind, StoredKind } from './records.ts';
import { isDeletion, type LastRecords, type Upsert } from './references.ts';

/** A kind of which a tenant has one record, with the id `tenant`. */
export type SettingKind = Exclude<RecordKind, StoredKind>;

/** What a plan says of settings. */
export type SettingOfPlan = 'uiMetadata' | 'branding' | 'signIn';

/** The setting of sign-in that records of a kind hold. */
const NAMES = {
  lockoutConfig: 'lockout',
  sessionConfig: 'session',
  networkConfig: 'network',
} as const satisfies Partial<Record<SettingKind, keyof SignInSettings>>;

/** Whether a tenant has only one record of this kind. */
export const isSetting = (kind: RecordKind): kind is SettingKind =>
  kind === 'uiMetadata' || kind === 'branding' || Object.hasOwn(NAMES, kind);

/** Refuses a setting whose properties do not fit together. Null when valid. */
export const validateSetting = (record: Upsert): Failure | null =>
  record.kind === 'sessionConfig' ? validateSessionTimes(upserted(DEFAULT_SIGN_IN_SETTINGS.session, record)) : null;

/** The value of a setting after the upsert of a record of its kind, which resets the properties that it leaves out. */
function upserted<T extends object>(unset: T, record: object): T {
  const { kind: _, id: __, ...given }: { readonly kind?: unknown; readonly id?: unknown } = record;
  return { ...unset, ...given };
}

/** The settings that an import changes, with their new values. */
export function planSettings(last: LastRecords, base: ImportBase): Pick<ImportPlan, SettingOfPlan> {
  const changed: { -readonly [K in keyof SignInSettings]?: SignInSettings[K] } = {};
  for (const kind of keysOf(NAMES)) {
    const name = NAMES[kind];
    const after = settingAfter(last, kind, { unset: DEFAULT_SIGN_IN_SETTINGS[name], before: base.signIn[name] });
    if (after !== null) Object.assign(changed, { [name]: after });
  }
  return {
    uiMetadata: settingAfter(last, 'uiMetadata', { unset: UNSET_UI_METADATA, before: base.uiMetadata }),
    branding: settingAfter(last, 'branding', { unset: UNSET_BRANDING, before: base.branding }),
    signIn: changed,
  };
}

/** Null when the import does not change the setting. */
function settingAfter<T extends object>(
  last: LastRecords,
  kind: SettingKind,
  { unset, before }: { readonly unset: T; readonly before: T },
): T | null {
  const record = last.find(kind, 'tenant')?.record;
  if (record === undefined) return null;
  const after = isDeletion(record) ? unset : upserted(unset, record);
  return equalJson(after, before) ? null : after;
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
