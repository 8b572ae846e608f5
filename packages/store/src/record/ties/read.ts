import { IDENTITY_TIE_HOURS, type IdentityTie } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/** Reads the ties among identities at `now` (ISO 8601), direct ones and those through an identity profile. */
export async function readTies(
  db: Kysely<Tables>,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  identityIds: readonly string[],
): Promise<readonly IdentityTie[]> {
  const sinceMs = Date.parse(now) - IDENTITY_TIE_HOURS * 3_600_000;
  const own = await db
    .selectFrom('identity_tie')
    .select(['identity_id', 'maker_id', 'made_ms'])
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', identityIds)
    .where('maker_id', 'in', identityIds)
    .where('made_ms', '>', sinceMs)
    .execute();
  const ofProfiles = await db
    .selectFrom('identity_profile_tie as tie')
    .innerJoin('identity', (join) =>
      join.onRef('identity.tenant', '=', 'tie.tenant').onRef('identity.identity_profile', '=', 'tie.identity_profile'),
    )
    .select(['identity.id as identity_id', 'maker_id', 'made_ms'])
    .where('tie.tenant', '=', tenant)
    .where('identity.tenant', '=', tenant)
    .where('identity.id', 'in', identityIds)
    .where('maker_id', 'in', identityIds)
    .whereRef('maker_id', '<>', 'identity.id')
    .where('made_ms', '>', sinceMs)
    .execute();
  return [...own, ...ofProfiles].map(({ identity_id, maker_id, made_ms }) => ({
    identityId: identity_id,
    makerId: maker_id,
    made: new Date(made_ms).toISOString(),
  }));
}
