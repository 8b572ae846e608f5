import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../schema/tables.ts';

const ROWS_AT_ONCE = 200;

/** Takes some violations from deleted owners, then drops the list of deletions; true if there may be more. Ended violations keep showing their owner. */
export async function clearOwners(
  trx: Transaction<Tables>,
  tenant: string,
  { identityRevision, asOf }: { readonly identityRevision: number; readonly asOf: string },
): Promise<boolean> {
  const deleted = await trx
    .selectFrom('identity_deletion')
    .select(['revision', 'identity_id'])
    .where('tenant', '=', tenant)
    .where('revision', '<=', identityRevision)
    .orderBy('revision')
    .orderBy('identity_id')
    .limit(ROWS_AT_ONCE)
    .execute();
  const last = deleted.at(-1);
  if (last === undefined) return false;
  const ids = deleted.map(({ identity_id }) => identity_id);
  const { numUpdatedRows } = await trx
    .updateTable('sod_violation')
    .set({
      owner_id: null,
      former_owner_id: sql`case when closed is null then null else owner_id end`,
      modified: sql`case when closed is null then ${asOf} else modified end`,
    })
    .where('tenant', '=', tenant)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sod_violation')
        .select('id')
        .where('tenant', '=', tenant)
        .where('owner_id', 'in', ids)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  if (numUpdatedRows >= ROWS_AT_ONCE) return true;
  await trx
    .deleteFrom('identity_deletion')
    .where('tenant', '=', tenant)
    .where(sql<boolean>`(revision, identity_id) <= (${last.revision}, ${last.identity_id})`)
    .execute();
  return deleted.length === ROWS_AT_ONCE;
}
