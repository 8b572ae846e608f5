/** A migration after those of this version, as a later version may bring it: it changes a large table and copies another. */
export const NEXT_MIGRATION: Readonly<Record<string, readonly string[]>> = {
  '9999-synthetic': [
    'alter table sod_check add column priority integer not null default 0',
    `update sod_check set priority = length(request_id) where state = 'PENDING'`,
    'create index sod_check_priority on sod_check (tenant, priority)',
    'create table identity_label (tenant text not null, id text not null, label text, primary key (tenant, id))',
    'insert into identity_label select tenant, id, display_name from identity',
    'drop index identity_revision',
    'create index identity_revision on identity (tenant, revision, id)',
  ],
};
