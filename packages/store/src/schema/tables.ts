import type { SodReportBlockRow, SodReportPolicyRow, SodReportRequestRow, SodReportRow } from './report-tables.ts';

/** The columns of every table, by table. Columns named in comments hold JSON text; moments are ISO 8601 unless they end in `_ms`. */
export interface Tables {
  tenant: TenantRow;
  oauth_client: OauthClientRow;
  signing_key: SigningKeyRow;
  entitlement: EntitlementRow;
  access_profile: AccessProfileRow;
  role: RoleRow;
  identity_profile: IdentityProfileRow;
  identity: IdentityRow;
  sod_policy: SodPolicyRow;
  sod_exception: SodExceptionRow;
  sod_check: SodCheckRow;
  rulebook_change: RulebookChangeRow;
  rulebook_pack: RulebookPackRow;
  rulebook_pack_part: RulebookPackPartRow;
  audit_event: AuditEventRow;
  audit_head: AuditHeadRow;
  sod_report: SodReportRow;
  sod_report_request: SodReportRequestRow;
  sod_report_policy: SodReportPolicyRow;
  sod_report_block: SodReportBlockRow;
}

/** The tables whose rows an import reads and writes by `tenant` and `id`. */
export type ModelTable = 'entitlement' | 'access_profile' | 'role' | 'identity_profile' | 'identity' | 'sod_policy';

export interface TenantRow {
  tenant: string;
  policy_set_version: number;
  /** The last revision given to an identity. Never reused, so that one deleted and made again does not look unchanged. */
  identity_revision: number;
  iframe_whitelist: string | null;
  username_label: string | null;
  username_empty_text: string | null;
  /** Null where the first write told no moment. */
  created: string | null;
}

export interface OauthClientRow {
  tenant: string;
  id: string;
  name: string;
  /** JSON: array of strings. */
  scopes: string;
  identity_id: string | null;
  secret_hash: string;
  created: string;
}

export interface SigningKeyRow {
  issuer: string;
  kid: string;
  private_jwk: string;
  created: string;
}

export interface EntitlementRow {
  tenant: string;
  id: string;
  name: string;
  source: string | null;
}

export interface AccessProfileRow {
  tenant: string;
  id: string;
  name: string;
  /** JSON: array of ids. */
  entitlements: string;
}

export interface RoleRow {
  tenant: string;
  id: string;
  name: string;
  /** JSON: array of ids. */
  access_profiles: string;
  /** JSON: array of ids. */
  entitlements: string;
}

export interface IdentityProfileRow {
  tenant: string;
  id: string;
  name: string;
  type: string;
  off_network: number;
  untrusted_geography: number;
  application_id: string | null;
  application_name: string | null;
}

export interface IdentityRow {
  tenant: string;
  id: string;
  revision: number;
  /** JSON: array of strings. */
  capabilities: string;
  is_org_admin: number;
  identity_profile: string;
  uid: string;
  display_name: string | null;
  alias: string | null;
  firstname: string | null;
  lastname: string | null;
  email: string | null;
  personal_email: string | null;
  phone: string | null;
  work_phone: string | null;
  identification_number: string | null;
  last_password_change_date: string | null;
  last_login_timestamp: number | null;
  current_login_timestamp: number | null;
  last_unlock_timestamp: string | null;
  /** JSON: array of `[type, id]`, or `[type, id, start, end]` for a time only. */
  access: string;
}

export interface SodPolicyRow {
  tenant: string;
  id: string;
  name: string;
  description: string | null;
  state: string;
  level: string;
  type: string;
  /** JSON: the conflicting access criteria. */
  criteria: string;
  external_policy_reference: string | null;
  compensating_controls: string | null;
  correction_advice: string | null;
  /** JSON: array of strings. */
  tags: string;
  created: string;
  modified: string;
}

/** An exception is live while it is neither revoked nor voided nor past its end. */
export interface SodExceptionRow {
  tenant: string;
  id: string;
  policy_id: string;
  identity_id: string;
  starts: string;
  ends: string;
  justification: string;
  requester_id: string;
  created: string;
  approver_id: string | null;
  approved: string | null;
  revoker_id: string | null;
  revoked: string | null;
  /** When a change of the access model took its ground away. */
  voided: string | null;
}

export interface SodCheckRow {
  tenant: string;
  request_id: string;
  created: string;
  state: string;
  attempts: number;
  fence: number;
  /** 0, or when the lease or the pause after a failure ends. */
  claimable_at_ms: number;
  identity_id: string;
  /** JSON: array of `[type, id]`, or `[type, id, start, end]` for a time only. */
  access_refs: string;
  /** JSON: object of strings. */
  client_metadata: string | null;
  completed: string | null;
  /** JSON: the result. */
  result: string | null;
  /** JSON: array of strings; null where nothing is to be included. */
  includes: string | null;
  /** The only moment that counts; null where every one from the evaluation on does. */
  at_moment: string | null;
}

export interface RulebookChangeRow {
  tenant: string;
  policy_set_version: number;
  /** Random: a database that was put back may come to a version again, with other content. */
  change_id: string;
  /** JSON: array of the ids of the policies made, replaced or removed; null where more than policies changed, or very many. */
  policies: string | null;
}

/** Names the parts that make up the tenant's compiled rulebook of this version. */
export interface RulebookPackRow {
  tenant: string;
  policy_set_version: number;
  change_id: string;
  /** SHA-256 of all parts in order, in hexadecimal digits. */
  digest: string;
  parts: number;
}

export interface AuditEventRow {
  tenant: string;
  sequence: number;
  time: string;
  client_id: string;
  identity_id: string | null;
  operation: string;
  resource_type: string;
  resource_id: string | null;
  outcome: string;
  /** JSON: array of changes. */
  changes: string;
  tracking_id: string;
  previous_hash: string | null;
  hash: string;
}

/** The last event of each tenant. */
export interface AuditHeadRow {
  tenant: string;
  sequence: number;
  hash: string | null;
}

export interface RulebookPackPartRow {
  tenant: string;
  digest: string;
  part: number;
  bytes: Uint8Array;
}
