import {
  type ApprovalView,
  type AuditContext,
  exceptionStateAt,
  type HeldConflict,
  type SodExceptionRecord,
} from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import { startStopwatch } from '../concurrency/stopwatch.ts';
import type { Reads } from '../engine/database.ts';
import { unpackAccess } from '../rows/access-codec.ts';
import type { Tables } from '../schema/tables.ts';
import { readTies } from '../ties/read.ts';
import { rowToException } from './codec.ts';
import { findConflicts, readPolicies, STORED, termsHashOf } from './held-conflicts.ts';
import { isRepeatable, readChangedPolicies, readModelVersion } from './model-version.ts';

/** What an approval is decided on. */
type Decisive = Pick<ApprovalView, 'conflict' | 'ties'>;

/** What an approval is decided on, found out before its transaction. */
export interface PreparedApproval {
  /** What holds in the transaction; null when the preparation is outdated and cannot be repeated within it at this attempt. */
  settle(trx: Transaction<Tables>, attempt: number): Promise<Decisive | null>;
}

const UNKNOWN: PreparedApproval = { settle: async () => null };
/** Only a requested exception can be approved, whatever the conflict is. */
const NOT_REQUESTED: PreparedApproval = { settle: async () => ({ conflict: null, ties: [] }) };

/** Finds out how held access violates the policy of an exception, and the ties of its approver. */
export async function prepareApproval(
  reads: Reads,
  { tenant, time: now, actor }: AuditContext,
  id: string,
): Promise<PreparedApproval> {
  const exception = await reads.read((db) => findException(db, tenant, id));
  if (exception === null) return UNKNOWN;
  if (exceptionStateAt(exception, now) !== 'REQUESTED') return NOT_REQUESTED;
  const { policyId, identityId, requesterId } = exception;
  const find = async ({ read }: Reads) => {
    const version = await read((db) => readModelVersion(db, tenant));
    const held = await read((db) => readHeld(db, tenant, identityId));
    const conflict =
      held && (await findConflict({ read }, { tenant, now }, { policyId, identityId, access: held.access }));
    return { version, held, conflict };
  };
  const persons = [actor.identityId ?? '', requesterId, identityId];
  const findTies = (from: Reads) => readTies(from, { tenant, now }, persons);
  const elapsedMs = startStopwatch();
  const [found, ties] = [await find(reads), await findTies(reads)];
  const tookMs = elapsedMs();
  const isCurrent = async (trx: Transaction<Tables>) => {
    const changed = await readChangedPolicies(trx, tenant, found.version);
    if (changed === null || changed.has(policyId) || !(await ties.isCurrent(trx))) return false;
    // A revision also rises with exceptions, so that approvals for one identity would outdate each other.
    if ((await readRevision(trx, tenant, identityId)) === (found.held?.revision ?? null)) return true;
    return (await readHeld(trx, tenant, identityId))?.access === found.held?.access;
  };
  return {
    settle: async (trx, attempt) => {
      if (await isCurrent(trx)) return { conflict: found.conflict, ties: ties.ties };
      if (!isRepeatable(tookMs, attempt)) return null;
      const within: Reads = { read: (query) => query(trx) };
      return { conflict: (await find(within)).conflict, ties: (await findTies(within)).ties };
    },
  };
}

interface Subject {
  readonly policyId: string;
  readonly identityId: string;
  /** As it is stored. */
  readonly access: string;
}

async function findConflict(
  reads: Reads,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  { policyId, identityId, access }: Subject,
): Promise<HeldConflict | null> {
  const scope = { tenant, now, overlay: { ...STORED, access: new Map([[identityId, unpackAccess(access)]]) } };
  const policy = (await readPolicies(reads, scope, [policyId])).get(policyId);
  if (policy === undefined) return null;
  for await (const { items } of findConflicts(reads, scope, [{ identityId, policy }]))
    if (items !== null && items.length > 0) return { policy: termsHashOf(policy), items };
  return null;
}

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
