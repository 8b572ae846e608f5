import type { ApprovedOnConflict } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { readColumns } from '../../query/model-tables.ts';
import type { SodExceptionRow, Tables } from '../../schema/tables.ts';
import { rowToApprovedConflict } from './codec.ts';
import { selectOpen } from './state.ts';

/** An approved exception of an identity. */
export interface IdentityException extends ApprovedOnConflict {
  readonly identityId: string;
}

/** The columns by which an exception is compared with the present data. */
export const JUDGED = [
  'sod_exception.id',
  'sod_exception.policy_id',
  'sod_exception.identity_id',
  'sod_exception.identity_created_ms',
  'sod_exception.policy_created',
  'sod_exception.approved',
  'sod_exception.approved_terms',
  'sod_exception.approved_items',
] as const;

export type JudgedException = Pick<
  SodExceptionRow,
  | 'id'
  | 'policy_id'
  | 'identity_id'
  | 'identity_created_ms'
  | 'policy_created'
  | 'approved'
  | 'approved_terms'
  | 'approved_items'
>;

/** What is read of an approved exception. */
export type ApprovedRow = JudgedException & Pick<SodExceptionRow, 'starts' | 'ends'>;

/** The approved ones among the open exceptions. */
export const selectApproved = (db: Kysely<Tables>, tenant: string) =>
  selectOpen(db, tenant)
    .select([...JUDGED, 'starts', 'ends'])
    .where('approved', 'is not', null);

/**
 * Keeps the approvals of the identity that has the id now. Whether one is void is for the evaluation to say. A look-up by key,
 * because PostgreSQL without statistics might read all identities for a join.
 */
export async function keepOfPresent(
  { read }: Reads,
  tenant: string,
  rows: readonly ApprovedRow[],
): Promise<readonly IdentityException[]> {
  if (rows.length === 0) return [];
  const created = await read((db) => readCreated(db, tenant, new Set(rows.map(({ identity_id }) => identity_id))));
  return rows.flatMap((row): IdentityException[] => {
    const { id, policy_id: policyId, identity_id: identityId, starts: start, ends: end, approved } = row;
    const conflict = rowToApprovedConflict(row);
    if (created.get(identityId) !== row.identity_created_ms || approved === null || conflict === null) return [];
    return [{ id, policyId, identityId, start, end, approved, terms: conflict.policy, items: conflict.items }];
  });
}

/** When identities were created, in milliseconds since 1970: tells one from an earlier one with its id. */
export async function readCreated(
  db: Kysely<Tables>,
  tenant: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const created = new Map<string, number>();
  const columns = ['id', 'created_ms'] as const;
  for await (const rows of readColumns(db, { table: 'identity', tenant, by: 'id', columns }, ids))
    for (const { id, created_ms } of rows) created.set(id, created_ms);
  return created;
}
