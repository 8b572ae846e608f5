import type { Database } from '../../../engine/database.ts';
import { keyOf, type RegisterClaim, type RegisterQueue, scopeOf } from './claim.ts';

const ROWS_AT_ONCE = 200;

/** Removes some violations that ended before an instant, then the days before it and counts of nothing; `more` while violations may be left. */
export const removeEnded = (
  { database, queue }: { readonly database: Database; readonly queue: Pick<RegisterQueue, 'hold'> },
  claim: RegisterClaim,
  before: string,
): Promise<boolean | 'more'> =>
  database.write(scopeOf(claim), async (trx) => {
    const { tenant } = claim;
    if (!(await queue.hold(trx, keyOf(claim)))) return false;
    const { numDeletedRows } = await trx
      .deleteFrom('sod_violation')
      .where('tenant', '=', tenant)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('sod_violation')
          .select('id')
          .where('tenant', '=', tenant)
          .where('closed', '<', before)
          .orderBy('closed')
          .limit(ROWS_AT_ONCE),
      )
      .executeTakeFirstOrThrow();
    if (numDeletedRows >= ROWS_AT_ONCE) return 'more';
    await trx.deleteFrom('register_day').where('tenant', '=', tenant).where('day', '<', before.slice(0, 10)).execute();
    await trx
      .deleteFrom('register_count')
      .where('tenant', '=', tenant)
      .where('open', '=', 0)
      .where('mitigated', '=', 0)
      .execute();
    return true;
  });
