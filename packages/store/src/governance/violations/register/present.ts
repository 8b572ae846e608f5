import { hash } from 'node:crypto';
import type { HeldViolation } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import type { SodViolationRow, Tables } from '../../../schema/tables.ts';

/** A violation that an evaluation has found. */
export interface PresentViolation extends HeldViolation {
  readonly identityId: string;
  readonly targetName: string;
  /** The exception that covers it. */
  readonly exception: { readonly id: string; readonly end: string } | null;
}

/** What a comparison needs of a stored present violation. */
export interface StoredViolation
  extends Pick<SodViolationRow, 'id' | 'identity_id' | 'policy_id' | 'level_rank' | 'created'> {
  readonly isMitigated: boolean;
  /** A digest of everything that an evaluation says of the violation. */
  readonly digest: string;
}

/** When time alone may change the violations of an identity next, as it is stored. */
export interface StoredDue {
  readonly identityId: string;
  readonly due: string;
}

/** The columns that an evaluation decides on. */
type EvaluatedColumns = Pick<
  SodViolationRow,
  'level_rank' | 'exception_id' | 'expiration' | 'policy_name' | 'target_name' | 'criteria'
>;

export const evaluatedColumns = (found: PresentViolation): EvaluatedColumns & Pick<SodViolationRow, 'status'> => ({
  status: found.exception === null ? 'Open' : 'Mitigated',
  level_rank: found.levelRank,
  exception_id: found.exception?.id ?? null,
  expiration: found.exception?.end ?? null,
  policy_name: found.policyName,
  target_name: found.targetName,
  criteria: found.criteria,
});

/** A digest of everything that an evaluation says of a violation. */
export const digestOfFound = (found: PresentViolation): string => digestOf(evaluatedColumns(found));

const digestOf = (columns: EvaluatedColumns): string => {
  const { level_rank, exception_id, expiration, policy_name, target_name, criteria } = columns;
  return hash(
    'sha256',
    JSON.stringify([level_rank, exception_id, expiration, policy_name, target_name, criteria]),
    'base64',
  );
};

/** The columns of a stored violation that a comparison reads, and that of its order. */
const COMPARED = [
  'id',
  'identity_id',
  'policy_id',
  'level_rank',
  'created',
  'exception_id',
  'expiration',
  'policy_name',
  'target_name',
  'criteria',
  'status',
] as const;

export type StoredRow = Pick<SodViolationRow, (typeof COMPARED)[number]>;

/** The present violations of a tenant. */
export const selectStored = (db: Kysely<Tables>, tenant: string) =>
  db.selectFrom('sod_violation').select(COMPARED).where('tenant', '=', tenant).where('closed', 'is', null);

export const rowToStored = (row: StoredRow): StoredViolation => ({
  id: row.id,
  identity_id: row.identity_id,
  policy_id: row.policy_id,
  level_rank: row.level_rank,
  created: row.created,
  isMitigated: row.exception_id !== null,
  digest: digestOf(row),
});
