import { allowedControlsOf } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { rowToSodPolicy } from '../rulebook/policy-codec.ts';
import type { Tables } from '../schema/tables.ts';

/** The first policy that allows a control; null where none does. */
export async function findAllowingPolicy(db: Kysely<Tables>, tenant: string, id: string): Promise<string | null> {
  const rows = await db
    .selectFrom('sod_policy')
    .selectAll()
    .where('tenant', '=', tenant)
    // An id is written in JSON as it is. Other properties of a reference may have the same text.
    .where('allowed_controls', 'like', `%${JSON.stringify(id)}%`)
    .orderBy('id')
    .execute();
  const allowing = rows.map(rowToSodPolicy).find((policy) => allowedControlsOf(policy).some((each) => each.id === id));
  return allowing?.id ?? null;
}
