import { allowedControlsOf } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { rowToSodPolicy } from '../../policies/rulebook/policy-codec.ts';
import type { Tables } from '../../schema/tables.ts';

/** Finds the first policy that allows a control. */
export async function findAllowingPolicy(db: Kysely<Tables>, tenant: string, id: string): Promise<string | null> {
  const rows = await db
    .selectFrom('sod_policy')
    .selectAll()
    .where('tenant', '=', tenant)
    // The text search is a prefilter: ids need no JSON escapes, but another property may have the same text.
    .where('allowed_controls', 'like', `%${JSON.stringify(id)}%`)
    .orderBy('id')
    .execute();
  const allowing = rows.map(rowToSodPolicy).find((policy) => allowedControlsOf(policy).some((each) => each.id === id));
  return allowing?.id ?? null;
}
