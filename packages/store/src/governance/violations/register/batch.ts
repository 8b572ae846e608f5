import type { SodViolationStatus } from '@access-admin/domain';
import type { PresentViolation, StoredViolation } from './present.ts';

/** A violation whose evaluation differs from what is stored. */
export interface ChangedViolation {
  readonly stored: StoredViolation;
  readonly found: PresentViolation;
}

/** A violation that has ended. */
export interface EndedViolation {
  readonly stored: StoredViolation;
  readonly status: Extract<SodViolationStatus, 'Remediated' | 'Closed'>;
}

/** When time alone may change the violations of an identity next; null for never. */
export interface NextDue {
  readonly identityId: string;
  readonly due: string | null;
}

/** Differences between the register and an evaluation. */
export interface RegisterBatch {
  /** The instant of the evaluation, ISO 8601. */
  readonly at: string;
  readonly opened: readonly PresentViolation[];
  readonly changed: readonly ChangedViolation[];
  readonly ended: readonly EndedViolation[];
  readonly due: readonly NextDue[];
}
