import { REPORT_TABLES } from './baseline-report-tables.ts';
import type { Columns } from './columns.ts';

/**
 * The tables of both engines. Comments name the columns that hold JSON text. Times are ISO 8601 in UTC with milliseconds
 * unless they end in `_ms`. This migration stays as it is once it is released: later columns come with later migrations.
 */
export const TABLES = {
  tenant: {
    tenant: 'text',
    policy_set_version: 'integer',
    /** The last revision given to an identity. Never reused, so that an identity deleted and created again gets another one. */
    identity_revision: 'bigint',
    iframe_whitelist: 'text?',
    username_label: 'text?',
    username_empty_text: 'text?',
    /** Null when the first write had no time. */
    created: 'text?',
  },
  oauth_client: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    /** JSON: array of strings. */
    scopes: 'text',
    identity_id: 'text?',
    /** The hash of the present secret. */
    secret_hash: 'text',
    /** 1 for the first secret, and one more for each that replaced it. Tokens name the secret they were made with. */
    secret_version: 'integer',
    /** The hash of the secret before, and when it ends; both are null where it ended with its replacement. */
    previous_secret_hash: 'text?',
    previous_secret_ends_ms: 'bigint?',
    created: 'text',
    /** 1 for the client of the first start: it has every scope of the running version, whatever `scopes` says. */
    is_bootstrap: 'integer',
  },
  /** The identities that know a secret of an application, directly or by other applications. A row stays when the application is deleted. */
  oauth_client_origin: {
    tenant: 'text',
    client_id: 'text',
    maker_id: 'text',
  },
  /** Which identities may act as which others, and since when. Rows stay when their identities are deleted, until they are old. */
  identity_tie: {
    tenant: 'text',
    identity_id: 'text',
    /** The identity that may act as it. */
    maker_id: 'text',
    /** When it did the last time what permits it. */
    made_ms: 'bigint',
  },
  signing_key: {
    issuer: 'text',
    kid: 'text',
    private_jwk: 'text',
    created: 'text',
  },
  entitlement: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    source: 'text?',
  },
  access_profile: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    /** JSON: array of ids. */
    entitlements: 'text',
  },
  role: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    /** JSON: array of ids. */
    access_profiles: 'text',
    /** JSON: array of ids. */
    entitlements: 'text',
  },
  identity_profile: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    type: 'text',
    off_network: 'integer',
    untrusted_geography: 'integer',
    application_id: 'text?',
    application_name: 'text?',
  },
  // The columns of hot reads come first and the long `access` last: SQLite reads a row from its start.
  identity: {
    tenant: 'text',
    id: 'text',
    revision: 'bigint',
    /** JSON: array of strings. */
    capabilities: 'text',
    is_org_admin: 'integer',
    identity_profile: 'text',
    uid: 'text',
    /** The uid in the form that is unique within the tenant. */
    uid_folded: 'text',
    display_name: 'text?',
    alias: 'text?',
    firstname: 'text?',
    lastname: 'text?',
    email: 'text?',
    personal_email: 'text?',
    phone: 'text?',
    work_phone: 'text?',
    identification_number: 'text?',
    last_password_change_date: 'text?',
    last_login_timestamp: 'bigint?',
    current_login_timestamp: 'bigint?',
    last_unlock_timestamp: 'text?',
    /** JSON: array of `[type, id]`, or `[type, id, start, end]` with a window. */
    access: 'text',
  },
  sod_policy: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    description: 'text?',
    state: 'text',
    level: 'text',
    type: 'text',
    /** JSON: the conflicting access criteria. */
    criteria: 'text',
    external_policy_reference: 'text?',
    compensating_controls: 'text?',
    correction_advice: 'text?',
    /** JSON: array of strings. */
    tags: 'text',
    created: 'text',
    modified: 'text',
  },
  /** Exceptions stay when their policy or identity is deleted. One is live while it is not revoked, not void and not past its end. */
  sod_exception: {
    tenant: 'text',
    id: 'text',
    policy_id: 'text',
    identity_id: 'text',
    starts: 'text',
    ends: 'text',
    justification: 'text',
    requester_id: 'text',
    created: 'text',
    approver_id: 'text?',
    approved: 'text?',
    revoker_id: 'text?',
    revoked: 'text?',
    /** When a change of the access model ended it, or after its end another exception of the pair was requested. */
    voided: 'text?',
    /** SHA-256 of the name, level and criteria of the policy at the approval. */
    approved_terms: 'text?',
    /** JSON: array of the ids of the conflicting items at the approval. */
    approved_items: 'text?',
    /** The digest of the terms at the request; null where there was no conflict. */
    requested_digest: 'text?',
    /** JSON: the terms at the approval. */
    terms: 'text?',
    /** JSON: array of decisions. */
    decisions: 'text',
  },
  sod_check: {
    tenant: 'text',
    request_id: 'text',
    created: 'text',
    state: 'text',
    attempts: 'integer',
    fence: 'integer',
    /** 0, or when the lease or the delay after a failure ends. */
    claimable_at_ms: 'bigint',
    identity_id: 'text',
    /** JSON: array of `[type, id]`, or `[type, id, start, end]` with a window. */
    access_refs: 'text',
    /** JSON: object of strings. */
    client_metadata: 'text?',
    completed: 'text?',
    /** JSON: the result. */
    result: 'text?',
    /** JSON: array of strings; null for none. */
    includes: 'text?',
    /** The instant to evaluate; null for every instant from the evaluation on. */
    at_instant: 'text?',
  },
  rulebook_change: {
    tenant: 'text',
    policy_set_version: 'integer',
    /** Random: a restored database may reach a version again with other content. */
    change_id: 'text',
    /** JSON: array of the ids of the policies created, replaced or deleted; null when more than policies changed, or very many. */
    policies: 'text?',
  },
  audit_event: {
    tenant: 'text',
    sequence: 'bigint',
    time: 'text',
    client_id: 'text',
    identity_id: 'text?',
    operation: 'text',
    resource_type: 'text',
    resource_id: 'text?',
    outcome: 'text',
    /** JSON: the changes, see audit/changes-codec.ts. */
    changes: 'text',
    tracking_id: 'text',
    previous_hash: 'text?',
    hash: 'text',
  },
  /** The resources that an event concerns besides its own `resource_id`, which is null for an event of several. */
  audit_event_member: {
    tenant: 'text',
    resource_id: 'text',
    sequence: 'bigint',
  },
  /** The last event of each tenant. Appending locks this row until the commit. */
  audit_head: {
    tenant: 'text',
    sequence: 'bigint',
    hash: 'text?',
  },
  ...REPORT_TABLES,
} as const satisfies Readonly<Record<string, Columns>>;
