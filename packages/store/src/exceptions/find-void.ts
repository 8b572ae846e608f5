import { type HeldConflict, isVoid } from '@access-admin/domain';
import type { Reads } from '../engine/database.ts';
import { readColumns } from '../query/model-tables.ts';
import type { SodExceptionRow } from '../schema/tables.ts';
import { rowToApprovedConflict } from './codec.ts';
import { findConflicts, readPolicies } from './held-conflicts.ts';

/** The columns by which an exception is compared with the present data. */
export const JUDGED = [
  'sod_exception.id',
  'sod_exception.policy_id',
  'sod_exception.identity_id',
  'sod_exception.identity_created_ms',
  'sod_exception.approved',
  'sod_exception.approved_terms',
  'sod_exception.approved_items',
] as const;

export type JudgedException = Pick<
  SodExceptionRow,
  'id' | 'policy_id' | 'identity_id' | 'identity_created_ms' | 'approved' | 'approved_terms' | 'approved_items'
>;

/**
 * Finds which of these live exceptions are void: those whose policy or identity no longer exists, and approved ones whose
 * conflict is no longer the approved one. Access counts from the approval on, so that time alone voids none.
 */
export async function findVoid(
  reads: Reads,
  tenant: string,
  exceptions: readonly JudgedException[],
): Promise<ReadonlySet<string>> {
  if (exceptions.length === 0) return new Set();
  const policies = await readPolicies(
    reads,
    tenant,
    exceptions.map(({ policy_id }) => policy_id),
  );
  const created = await readCreated(reads, tenant, new Set(exceptions.map(({ identity_id }) => identity_id)));
  const pairs = exceptions.flatMap((exception) => {
    const { identity_id: identityId, policy_id, approved, approved_terms } = exception;
    const policy = policies.get(policy_id);
    if (policy === undefined || approved === null || policy.terms !== approved_terms) return [];
    return [{ identityId, policy, fromMs: Date.parse(approved), exception }];
  });
  const conflicts = new Map<JudgedException, HeldConflict>();
  for await (const { pair, items } of findConflicts(reads, tenant, pairs))
    conflicts.set(pair.exception, { policy: pair.policy.terms, items });
  const found = exceptions.filter((exception) => {
    const approval = { approved: exception.approved, approvedConflict: rowToApprovedConflict(exception) };
    return isVoid(approval, {
      policyExists: policies.has(exception.policy_id),
      identityExists: created.get(exception.identity_id) === exception.identity_created_ms,
      conflict: conflicts.get(exception) ?? null,
    });
  });
  return new Set(found.map(({ id }) => id));
}

const readCreated = ({ read }: Reads, tenant: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> =>
  read(async (db) => {
    const created = new Map<string, number>();
    const columns = ['id', 'created_ms'] as const;
    for await (const rows of readColumns(db, { table: 'identity', tenant, by: 'id', columns }, ids))
      for (const { id, created_ms } of rows) created.set(id, created_ms);
    return created;
  });
