import type { Capability, ProfileMembers } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { parseCapabilities } from '../access/records/identity-codec.ts';
import { inParts } from '../engine/concurrency/in-parts.ts';
import type { Tables } from '../schema/tables.ts';

// Keeps statements well below the limit of parameters.
const PROFILES_AT_ONCE = 500;

/** The identities with each of these identity profiles, for a caller; profiles without any with a capability are left out. */
export async function readProfileMembers(
  db: Kysely<Tables>,
  { tenant, identityId }: { readonly tenant: string; readonly identityId: string | null },
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, ProfileMembers>> {
  const capabilitiesOf = new Map<string, Set<Capability>>();
  for (const some of inParts(profileIds, PROFILES_AT_ONCE)) {
    const rows = await db
      .selectFrom('identity')
      .select(['identity_profile', 'capabilities'])
      .distinct()
      .where('tenant', '=', tenant)
      .where('identity_profile', 'in', some)
      // A literal, because the partial index does not match a parameter.
      .where('capabilities', '<>', sql.lit('[]'))
      .execute();
    for (const { identity_profile: id, capabilities } of rows) {
      const known = capabilitiesOf.get(id) ?? new Set();
      for (const capability of parseCapabilities(capabilities)) known.add(capability);
      capabilitiesOf.set(id, known);
    }
  }
  const own = await findProfileOf(db, tenant, identityId);
  if (own !== null && profileIds.includes(own) && !capabilitiesOf.has(own)) capabilitiesOf.set(own, new Set());
  return new Map(
    [...capabilitiesOf].map(([id, capabilities]) => [
      id,
      { capabilities: [...capabilities], includeCaller: id === own },
    ]),
  );
}

async function findProfileOf(db: Kysely<Tables>, tenant: string, identityId: string | null): Promise<string | null> {
  if (identityId === null) return null;
  const row = await db
    .selectFrom('identity')
    .select('identity_profile')
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .executeTakeFirst();
  return row?.identity_profile ?? null;
}
