import { type HeldConflict, isVoid } from '@access-admin/domain';
import type { Reads } from '../../engine/database.ts';
import { type JudgedException, readCreated } from './approved.ts';
import { rowToApprovedConflict } from './codec.ts';
import { findConflicts, readPolicies } from './held-conflicts.ts';

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
  const identityIds = new Set(exceptions.map(({ identity_id }) => identity_id));
  const created = await reads.read((db) => readCreated(db, tenant, identityIds));
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
      policyExists: policies.get(exception.policy_id)?.created === exception.policy_created,
      identityExists: created.get(exception.identity_id) === exception.identity_created_ms,
      conflict: conflicts.get(exception) ?? null,
    });
  });
  return new Set(found.map(({ id }) => id));
}
