import type { SodViolationStatus } from '@access-admin/domain';
import type { PresentViolation, StoredViolation } from './present.ts';

/** A violation that has begun. `at` is the instant of the evaluation that found it, ISO 8601, as in the others. */
export interface OpenedViolation {
  readonly at: string;
  readonly found: PresentViolation;
}

/** A violation of which an evaluation says something else than before. */
export interface ChangedViolation {
  readonly at: string;
  readonly stored: StoredViolation;
  readonly found: PresentViolation;
}

/** A violation that has ended. */
export interface EndedViolation {
  readonly at: string;
  readonly stored: StoredViolation;
  readonly status: Extract<SodViolationStatus, 'Remediated' | 'Closed'>;
}

/** When time alone may change the violations of an identity next; null for never. */
export interface NextDue {
  readonly identityId: string;
  readonly due: string | null;
}

/** Some differences between a register and an evaluation. */
export interface RegisterBatch {
  readonly opened: readonly OpenedViolation[];
  readonly changed: readonly ChangedViolation[];
  readonly ended: readonly EndedViolation[];
  readonly due: readonly NextDue[];
}

/** What a staged batch has done. */
export interface StagedContent {
  /** The violations that have rows of the round, and may have rows that these replace. */
  readonly ids: readonly string[];
  readonly due: readonly NextDue[];
}
