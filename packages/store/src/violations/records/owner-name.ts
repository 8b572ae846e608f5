import { type RawBuilder, sql } from 'kysely';

/** The present display name of the owner of a violation; null where there is none. */
export const ownerName = (tenant: string): RawBuilder<string | null> =>
  sql`(select coalesce(display_name, id) from identity
    where identity.tenant = ${tenant} and identity.id = sod_violation.owner_id)`;
