/**
 * PostgreSQL only: the transaction and the write that changed each tenant last; an empty tenant stands for shared data.
 * Processes read it to learn what others have committed, and whether their own write was. No statement is built of its rows.
 */
export const TENANT_CHANGE: readonly string[] = [
  `create table tenant_change (tenant text collate "C" not null, changed_by xid8 not null, write_id text collate "C" not null,
    primary key (tenant))`,
  'create index tenant_change_by on tenant_change (changed_by)',
];
