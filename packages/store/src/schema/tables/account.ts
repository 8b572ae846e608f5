import { defineTable } from '../definition/define-table.ts';

/** Accounts of sources. What they grant is also in the `access` of their identities. */
export const account = defineTable({
  name: 'account',
  columns: {
    tenant: 'text',
    /** Made of the source and of the id in it, so that it is unique for both. */
    id: 'text',
    source_id: 'text',
    /** The id in the source. */
    account_id: 'text',
    name: 'text',
    /** The name in small letters. */
    name_folded: 'text',
    /** What a directory calls it, by SCIM: its id in the source unless that has changed; null for nothing. */
    external_id: 'text?',
    display_name: 'text?',
    email: 'text?',
    disabled: 'integer',
    identity_id: 'text?',
    correlation: 'text',
    /** JSON: array of ids of identities; null for none. */
    candidates: 'text?',
    /** The identity that it has made. Null once that is deleted. */
    made_identity_id: 'text?',
    /** The number of the load that has seen it last; null where none has. */
    seen_by_load: 'bigint?',
    created: 'text',
    /** When what its source says of it, or its identity, changed last. */
    modified: 'text',
    /** JSON: texts by name; null without any. */
    attributes: 'text?',
    /** JSON: as of identities. */
    access: 'text',
  },
  key: 'tenant, id',
  indexes: [
    'create index account_source on account (tenant, source_id, id)',
    'create index account_name on account (tenant, source_id, name_folded)',
    'create index account_external on account (tenant, source_id, external_id) where external_id is not null',
    'create index account_identity on account (tenant, identity_id, id)',
    'create index account_correlation on account (tenant, correlation, id)',
    'create index account_made on account (tenant, made_identity_id) where made_identity_id is not null',
  ],
});
