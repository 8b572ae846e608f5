import type { RETIRED_KEY_TABLES } from './0002-retired-signing-keys.ts';
import type { EVENT_TABLES } from './0003-events.ts';
import type {
  REGISTER_COLUMNS,
  REGISTER_REVISION_COLUMNS,
  REGISTER_TABLES,
  RULEBOOK_CHANGE_COLUMNS,
} from './0004-register.ts';
import type { WEBHOOK_TABLES } from './0005-webhooks.ts';
import type { CONTROL_TABLES } from './0006-controls.ts';
import type { SIGN_IN_SETTING_TABLES } from './0007-sign-in-settings.ts';
import type { CREDENTIAL_TABLES, SIGN_IN_DETAIL_COLUMNS, SIGN_IN_TIME_COLUMNS } from './0008-credentials.ts';
import type { LOOK_UP_TABLES } from './0009-look-ups.ts';
import type { TABLES } from './baseline-tables.ts';
import type { RowOf } from './columns.ts';

type AllTables = typeof TABLES &
  typeof RETIRED_KEY_TABLES &
  typeof EVENT_TABLES &
  typeof REGISTER_TABLES &
  typeof WEBHOOK_TABLES &
  typeof CONTROL_TABLES &
  typeof SIGN_IN_SETTING_TABLES &
  typeof CREDENTIAL_TABLES &
  typeof LOOK_UP_TABLES;

/** The columns that later migrations add to a table. */
type AddedTo<Name> = Name extends keyof AddedColumns ? AddedColumns[Name] : Record<never, never>;

type AddedColumns = typeof REGISTER_COLUMNS &
  typeof REGISTER_REVISION_COLUMNS &
  typeof SIGN_IN_TIME_COLUMNS &
  typeof SIGN_IN_DETAIL_COLUMNS &
  typeof RULEBOOK_CHANGE_COLUMNS;

/** The rows of every table. */
export type Tables = { [Name in keyof AllTables]: RowOf<AllTables[Name] & AddedTo<Name>> };
/** The tables of the access model, with rows by `tenant` and `id`. */
export type ModelTable =
  | 'entitlement'
  | 'access_profile'
  | 'role'
  | 'identity_profile'
  | 'identity'
  | 'sod_policy'
  | 'control';

export type TenantRow = Tables['tenant'];
export type OauthClientRow = Tables['oauth_client'];
export type SigningKeyRow = Tables['signing_key'];
export type RetiredSigningKeyRow = Tables['retired_signing_key'];
export type EntitlementRow = Tables['entitlement'];
export type AccessProfileRow = Tables['access_profile'];
export type RoleRow = Tables['role'];
export type IdentityProfileRow = Tables['identity_profile'];
export type IdentityRow = Tables['identity'];
export type SodPolicyRow = Tables['sod_policy'];
export type ControlRow = Tables['control'];

export type SodExceptionRow = Tables['sod_exception'];
export type SodCheckRow = Tables['sod_check'];
export type AuditEventRow = Tables['audit_event'];
export type SodReportRow = Tables['sod_report'];
export type SodReportRequestRow = Tables['sod_report_request'];
export type SodReportPolicyRow = Tables['sod_report_policy'];
export type SodReportBlockRow = Tables['sod_report_block'];
export type SodViolationRow = Tables['sod_violation'];
export type EventRow = Tables['event'];
export type WebhookRow = Tables['webhook'];
export type WebhookDeliveryRow = Tables['webhook_delivery'];
export type PasskeyRow = Tables['passkey'];
export type SessionRow = Tables['session'];
