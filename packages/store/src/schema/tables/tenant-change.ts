import { distributeWithTenants, keepOnCoordinator } from '../definition/placement.ts';

/**
 * PostgreSQL only: for each line of writes of a tenant how often it has changed cached reads, its last write, and the write
 * before. Processes read it to learn what others have committed, and whether their own write was. A write and its row lie with
 * the data of the tenant and commit together. No statement is built of its rows.
 */
export const TENANT_CHANGE: readonly string[] = [
  `create table tenant_change (tenant text collate "C" not null, line text collate "C" not null, version bigint not null,
    write_id text collate "C" not null, previous_id text collate "C", primary key (tenant, line)) with (fillfactor = 50)`,
  distributeWithTenants('tenant_change'),
];

/**
 * PostgreSQL only: the version, the last write and the write before of data without a tenant: of all of them in row 1, and of the
 * tenants of client ids, which are not cached, in row 2.
 */
export const SHARED_CHANGE: readonly string[] = [
  `create table shared_change (id integer not null, version bigint not null, write_id text collate "C" not null,
    previous_id text collate "C", primary key (id))`,
  keepOnCoordinator('shared_change'),
];
