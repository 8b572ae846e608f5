import { defineTable } from '../definition/define-table.ts';

// The columns that most requests read come first and the long `access` last: SQLite reads a row from its start.
export const identity = defineTable({
  name: 'identity',
  columns: {
    tenant: 'text',
    id: 'text',
    revision: 'bigint',
    /** When it was created: tells it from a deleted one that had the same id. Later upserts keep it. */
    created_ms: 'bigint',
    /** JSON: array of strings. */
    capabilities: 'text',
    is_org_admin: 'integer',
    active: 'integer',
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
    /** JSON: texts by name; null without any. */
    attributes: 'text?',
    external_id: 'text?',
    /** JSON: array of `[type, id]`, or `[type, id, start, end]` with a window. With what the accounts of the identity grant. */
    access: 'text',
    /** JSON: the access of its own record; null where accounts add nothing to that. */
    own_access: 'text?',
  },
  key: 'tenant, id',
  foreignKey: 'foreign key (tenant, identity_profile) references identity_profile (tenant, id)',
  indexes: [
    'create index identity_of_profile on identity (tenant, identity_profile)',
    // Not a unique one: an import may exchange the uids of two identities. Imports of a tenant are one at a time.
    'create index identity_uid on identity (tenant, uid_folded)',
    // Lists users in order.
    'create index identity_by_uid on identity (tenant, uid)',
    'create index identity_org_admin on identity (tenant, id) where is_org_admin = 1',
    // Few identities have a capability.
    "create index identity_with_capabilities on identity (tenant, identity_profile) where capabilities <> '[]'",
    // Finds the identities that have changed since a revision.
    'create index identity_revision on identity (tenant, revision)',
  ],
});
