/** The comment of a table that stays on the coordinator where tenants are distributed over the nodes of a cluster. */
export const KEPT = 'kept on the coordinator';

/** The statement by which a table is known to stay on the coordinator. */
export const keepOnCoordinator = (table: string): string => `comment on table ${table} is '${KEPT}'`;

/**
 * The statement that lays the rows of a table beside those of their tenants, where these are distributed; elsewhere it does
 * nothing. A migration that makes a table whose key begins with `tenant` has it before anything else of the table.
 */
export const distributeWithTenants = (table: string): string => `
  do $$ begin
    if to_regclass('pg_dist_partition') is not null then
      if exists (select from pg_dist_partition where logicalrelid = to_regclass('tenant')) then
        perform create_distributed_table('${table}', 'tenant', colocate_with => 'tenant');
      end if;
    end if;
  end $$`;
