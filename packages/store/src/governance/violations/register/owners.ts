import type { NamedRef } from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { inParts } from '../../../engine/concurrency/in-parts.ts';
import type { Tables } from '../../../schema/tables.ts';

const CHUNK_IDS = 500;

export type Owners = ReadonlyMap<string, NamedRef<'IDENTITY'>>;

/**
 * The identities with these ids, except those whose deletion the register has not yet processed: until then, the owner is the
 * deleted identity.
 */
export async function readOwners(db: Kysely<Tables>, tenant: string, ids: readonly string[]): Promise<Owners> {
  const owners = new Map<string, NamedRef<'IDENTITY'>>();
  for (const some of inParts(ids, CHUNK_IDS)) {
    const found = await db
      .selectFrom('identity')
      .select(['id', 'display_name'])
      .where('tenant', '=', tenant)
      .where('id', 'in', some)
      .execute();
    for (const { id, display_name } of found) owners.set(id, { type: 'IDENTITY', id, name: display_name ?? id });
    const deleted = await db
      .selectFrom('identity_deletion')
      .select('identity_id')
      .where('tenant', '=', tenant)
      .where('identity_id', 'in', some)
      .execute();
    for (const { identity_id } of deleted) owners.delete(identity_id);
  }
  return owners;
}

/** The id of the owner of a violation, which gives rights to it; null without one. */
export async function readOwnerId(db: Kysely<Tables>, tenant: string, ownerId: string | null): Promise<string | null> {
  return ownerId !== null && (await readOwners(db, tenant, [ownerId])).has(ownerId) ? ownerId : null;
}

/** SQL: the present display name of a violation's owner; null without an owner. */
export const ownerName = (tenant: string): RawBuilder<string | null> =>
  sql`(select coalesce(display_name, id) from identity
    where identity.tenant = ${tenant} and identity.id = sod_violation.owner_id)`;
