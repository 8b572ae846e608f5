import type { Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import type { Tables } from '../../schema/tables.ts';
import type { RegisterClaim } from './claim.ts';

/** Runs a write of a claim; false when another worker has taken the register. */
export const writeHeld = <T>(
  database: Database,
  claim: RegisterClaim,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T | false> =>
  database.write(scopeOf(claim), async (trx) => ((await isHeld(trx, claim)) ? work(trx) : false));

export const scopeOf = ({ tenant }: Pick<RegisterClaim, 'tenant'>) => ({ tenant, changes: 'register' as const });

/** Whether the fence of a claim is the latest. */
export async function isHeld(trx: Transaction<Tables>, { tenant, fence }: RegisterClaim): Promise<boolean> {
  const held = await trx
    .selectFrom('register_head')
    .select('fence')
    .where('tenant', '=', tenant)
    .where('fence', '=', fence)
    .execute();
  return held.length > 0;
}

/** Extends the lease of a claim that holds the register, and marks what it stages as unsettled; false where it does not hold it. */
export async function extendLease(
  trx: Transaction<Tables>,
  { tenant, fence }: RegisterClaim,
  { leaseEndMs, isUnsettled = false }: { readonly leaseEndMs: number; readonly isUnsettled?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('register_head')
    .set({ lease_end_ms: leaseEndMs, ...(isUnsettled ? { is_unsettled: 1 } : {}) })
    .where('tenant', '=', tenant)
    .where('fence', '=', fence)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
