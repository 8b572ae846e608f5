import type { Query } from '../run-query.ts';

interface Extension {
  readonly isUsable: boolean;
  readonly isAvailable: boolean;
  readonly isCreated: boolean;
  readonly mayCreate: boolean;
}

/** Why texts cannot be searched on this database, and what to do; null where `pg_trgm` is there or a migration can create it. */
export async function trigramFault(query: Query): Promise<string | null> {
  const [found] = await query<Extension>(`
    select
      exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) as "isUsable",
      exists (select from pg_available_extensions where name = 'pg_trgm') as "isAvailable",
      exists (select from pg_extension where extname = 'pg_trgm') as "isCreated",
      has_database_privilege(current_database(), 'create') as "mayCreate"`);
  if (found === undefined || found.isUsable) return null;
  if (found.isCreated)
    return 'The extension pg_trgm is in a schema that is not on the search_path: alter extension pg_trgm set schema public.';
  if (!found.isAvailable)
    return 'The extension pg_trgm is missing: install the contrib package of PostgreSQL on the server, then run "create extension pg_trgm" in the database.';
  if (found.mayCreate) return null;
  return 'The extension pg_trgm is missing: run "create extension pg_trgm" in the database as its owner.';
}
