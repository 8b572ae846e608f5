import type { ApprovedOf, AuditContext, SodExceptionRecord } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import type { Reads } from '../engine/database.ts';
import type { Tables } from '../schema/tables.ts';
import { rowToApprovedConflict } from './codec.ts';
import type { ConflictScope } from './held-conflicts.ts';
import { type ExaminedImport, isConcerned } from './import-effect.ts';
import { examinedSince, type Voidable } from './voiding.ts';

/** An approved exception that has not ended. */
export interface ApprovedException extends Voidable, Pick<SodExceptionRecord, 'policyId'>, ApprovedOf {
  /** Of the identity. */
  readonly revision: number | null;
}

const PAGE_ROWS = 200;
// Above this number of look-ups, reading all approved exceptions is faster.
const LOOKUPS_MAX = 50;

/** Reads the approved exceptions that an import may concern, in pages; one may come twice. */
export async function* readConcerned(
  reads: Reads,
  given: ExaminedImport,
): AsyncGenerator<readonly ApprovedException[]> {
  const { overlay, hasBundles } = given;
  if (hasBundles || overlay.access.size + overlay.policies.size > LOOKUPS_MAX) return yield* readAll(reads, given);
  for (const id of overlay.access.keys()) yield* readOf(reads, given, ['identity_id', id]);
  for (const id of overlay.policies.keys()) yield* readOf(reads, given, ['policy_id', id]);
}

async function* readAll(reads: Reads, given: ExaminedImport): AsyncGenerator<readonly ApprovedException[]> {
  for (let last = { ends: '', id: '' }; ; ) {
    const after = sql<boolean>`(ends, sod_exception.id) > (${last.ends}, ${last.id})`;
    const rows = await reads.read((db) =>
      approvedOf(db, given).where(after).orderBy('ends').orderBy('sod_exception.id').limit(PAGE_ROWS).execute(),
    );
    const concerned = rows.filter((row) =>
      isConcerned(given, { identityId: row.identity_id, policyId: row.policy_id }),
    );
    yield concerned.map(rowToApproved);
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_ROWS) return;
    last = end;
  }
}

async function* readOf(
  reads: Reads,
  scope: ConflictScope,
  [column, id]: readonly [column: 'identity_id' | 'policy_id', id: string],
): AsyncGenerator<readonly ApprovedException[]> {
  for (let after = ''; ; ) {
    const cursor = after;
    const rows = await reads.read((db) => {
      const some = approvedOf(db, scope).where(column, '=', id).where('sod_exception.id', '>', cursor);
      return some.orderBy('sod_exception.id').limit(PAGE_ROWS).execute();
    });
    yield rows.map(rowToApproved);
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_ROWS) return;
    after = end.id;
  }
}

/** The approved exceptions that are not revoked, void or long expired, with the revisions of their identities. */
export const approvedOf = (db: Kysely<Tables>, { tenant, now }: Pick<ConflictScope, 'tenant' | 'now'>) =>
  db
    .selectFrom('sod_exception')
    .leftJoin('identity', (join) =>
      join.onRef('identity.tenant', '=', 'sod_exception.tenant').onRef('identity.id', '=', 'sod_exception.identity_id'),
    )
    .select([
      ...(['sod_exception.id', 'policy_id', 'identity_id', 'ends', 'approved'] as const),
      ...(['approved_terms', 'approved_items', 'identity.revision'] as const),
    ])
    .where('sod_exception.tenant', '=', tenant)
    .where('revoked', 'is', null)
    .where('voided', 'is', null)
    .where('approved', 'is not', null)
    .where('ends', '>', examinedSince(now));

type ApprovedRow = Awaited<ReturnType<ReturnType<typeof approvedOf>['execute']>>[number];

export const rowToApproved = (row: ApprovedRow): ApprovedException => ({
  id: row.id,
  policyId: row.policy_id,
  identityId: row.identity_id,
  end: row.ends,
  approved: row.approved,
  approvedConflict: rowToApprovedConflict(row),
  revision: row.revision,
});

/** Whether a tenant has an approved exception that may have to be examined. */
export async function hasApproved(db: Kysely<Tables>, { tenant, time }: AuditContext): Promise<boolean> {
  const rows = await approvedOf(db, { tenant, now: time }).clearSelect().select('sod_exception.id').limit(1).execute();
  return rows.length > 0;
}
