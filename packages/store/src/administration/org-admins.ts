import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

const PAGE_ROWS = 500;

/** Whether an active identity that is not among these has `ORG_ADMIN`. */
export async function hasOtherOrgAdmins(
  db: Kysely<Tables>,
  tenant: string,
  identities: ReadonlySet<string>,
): Promise<boolean> {
  const rows = Math.min(PAGE_ROWS, identities.size + 1);
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('identity')
      .select('id')
      .where('tenant', '=', tenant)
      .where('id', '>', after)
      // A literal, because the partial index does not match a parameter.
      .where('is_org_admin', '=', sql.lit(1))
      .where('active', '=', 1)
      .orderBy('id')
      .limit(rows)
      .execute();
    if (page.some(({ id }) => !identities.has(id))) return true;
    const last = page.at(-1);
    if (last === undefined || page.length < rows) return false;
    after = last.id;
  }
}
