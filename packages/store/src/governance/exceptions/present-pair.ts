import type { AuditContext, SeenConflict } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import type { Tables } from '../../schema/tables.ts';
import { findVoid } from './find-void.ts';
import { type ConflictPair, findSeenConflicts } from './seen-conflicts.ts';
import { selectOpen } from './state.ts';

/** What of the access model a decision on an exception needs. */
export interface PresentPair {
  /** How held access violates the policy; null when it does not. */
  readonly conflict: SeenConflict | null;
  /** The live exceptions of the pair that are void. */
  readonly voidIds: ReadonlySet<string>;
}

/** Reads what decisions on the exceptions of a policy and an identity need. */
export async function readPresentPair(
  reads: Reads,
  { tenant, time: now }: AuditContext,
  pair: ConflictPair,
): Promise<PresentPair> {
  const live = await reads.read((db) => selectOfPair(db, tenant, pair).where('ends', '>', now).execute());
  const conflicts = await findSeenConflicts(reads, { tenant, now }, [pair]);
  return { conflict: conflicts.get(pair) ?? null, voidIds: await findVoid(reads, tenant, live) };
}

/** The open exceptions of a pair. */
export const selectOfPair = (db: Kysely<Tables>, tenant: string, { policyId, identityId }: ConflictPair) =>
  selectOpen(db, tenant).selectAll().where('identity_id', '=', identityId).where('policy_id', '=', policyId);
