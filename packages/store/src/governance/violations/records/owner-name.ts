import { type RawBuilder, sql } from 'kysely';

/** The owner's present display name; null without one. */
export const ownerName = (tenant: string): RawBuilder<string | null> =>
  sql`(select coalesce(display_name, id) from identity
    where identity.tenant = ${tenant} and identity.id = sod_violation.owner_id)`;
