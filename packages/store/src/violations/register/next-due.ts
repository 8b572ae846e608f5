import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

// The last character there is: sorts after every id.
export const LAST_ID = '\u{10ffff}';

/** The next instant after one at which time alone changes the register, or an exception expires; null for none. */
export async function nextDue(
  trx: Transaction<Tables>,
  tenant: string,
  { after }: { readonly after: string },
): Promise<string | null> {
  const { rows } = await sql<{ due: string | null }>`
    select min(due) as due from (
      select min(due) as due from register_due where tenant = ${tenant} and due > ${after}
      union all select min(first_due) from register_staged where tenant = ${tenant} and first_due > ${after}
      union all select min(ends) from sod_exception where tenant = ${tenant} and ends > ${after}
        and ends > (select expired_end from register_head where tenant = ${tenant})
    ) as dues`.execute(trx);
  return rows[0]?.due ?? null;
}
