import { type ApprovalView, type AuditContext, exceptionStateAt, type SodExceptionRecord } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { unpackAccess } from '../access-model/records/access-codec.ts';
import type { Tables } from '../schema/tables.ts';
import { rowToException } from './codec.ts';
import { STORED } from './held-conflicts.ts';
import { readChangedPolicies, readModelVersion } from './model-version.ts';
import type { Find } from './prepare.ts';
import { type ConflictPair, findSeenConflicts } from './seen-conflicts.ts';

/** How held access violates a policy. */
export type PairConflict = Pick<ApprovalView, 'conflict'>;

/** Finds out how the access of an identity violates a policy. */
export const findConflictOf =
  ({ tenant, time: now }: AuditContext, pair: ConflictPair): Find<PairConflict> =>
  async (reads) => {
    const { policyId, identityId } = pair;
    const version = await reads.read((db) => readModelVersion(db, tenant));
    const held = await reads.read((db) => readHeld(db, tenant, identityId));
    const access = new Map(held === null ? [] : [[identityId, unpackAccess(held.access)] as const]);
    const scope = { tenant, now, overlay: { ...STORED, access } };
    const conflict = held === null ? null : ((await findSeenConflicts(reads, scope, [pair])).get(pair) ?? null);
    return {
      value: { conflict },
      isCurrent: async (trx) => {
        const changed = await readChangedPolicies(trx, tenant, version);
        if (changed === null || changed.has(policyId)) return false;
        // A revision also rises with exceptions, so that approvals for one identity would outdate each other.
        if ((await readRevision(trx, tenant, identityId)) === (held?.revision ?? null)) return true;
        return (await readHeld(trx, tenant, identityId))?.access === held?.access;
      },
    };
  };

/** Finds out how held access violates the policy of an exception; no conflict where it waits for no decision. */
export const findConflictOfException =
  (auditContext: AuditContext, id: string): Find<PairConflict> =>
  async (reads) => {
    const { tenant, time: now } = auditContext;
    const exception = await reads.read((db) => findException(db, tenant, id));
    // It may be requested before the transaction begins.
    if (exception === null)
      return { value: NOTHING, isCurrent: async (trx) => (await findException(trx, tenant, id)) === null };
    // Only a requested exception can be approved, whatever the conflict is.
    if (exceptionStateAt(exception, now) !== 'REQUESTED') return { value: NOTHING, isCurrent: async () => true };
    return findConflictOf(auditContext, exception)(reads);
  };

const NOTHING: PairConflict = { conflict: null };

export async function findException(
  db: Kysely<Tables>,
  tenant: string,
  id: string,
): Promise<SodExceptionRecord | null> {
  const row = await db
    .selectFrom('sod_exception')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : rowToException(row);
}

/** The access of an identity, as it is stored, with its revision; null when there is no such identity. */
async function readHeld(
  db: Kysely<Tables>,
  tenant: string,
  id: string,
): Promise<{ readonly revision: number; readonly access: string } | null> {
  const query = db.selectFrom('identity').select(['revision', 'access']).where('tenant', '=', tenant);
  return (await query.where('id', '=', id).executeTakeFirst()) ?? null;
}

async function readRevision(db: Kysely<Tables>, tenant: string, id: string): Promise<number | null> {
  const query = db.selectFrom('identity').select('revision').where('tenant', '=', tenant);
  return (await query.where('id', '=', id).executeTakeFirst())?.revision ?? null;
}
