import type { NamedRef } from '../../access/model/named-ref.ts';
import { exceptionStateAt, type SodExceptionRecord } from '../exceptions/sod-exception.ts';

/** The statuses of an applied control: its exception waits for approval, counts, is over, or never counted until its end. */
export const APPLIED_CONTROL_STATUSES = ['Pending', 'Active', 'Completed', 'Canceled'] as const;
export type AppliedControlStatus = (typeof APPLIED_CONTROL_STATUSES)[number];

/** A control that was applied to a violation, as answers show it, its properties in their order. */
export interface AppliedControl {
  readonly id: string;
  /** The violation's id, in the form that the SailPoint SDKs read. */
  readonly violation: string;
  readonly violationRef: NamedRef<'VIOLATION'>;
  /** With its name at the application. */
  readonly control: NamedRef<'CONTROL'>;
  /** The name falls back to the id once the identity is deleted. */
  readonly applier: NamedRef<'IDENTITY'>;
  /** ISO 8601 in UTC with milliseconds, as all instants here. */
  readonly appliedDate: string;
  /** The end of the exception; null once that is gone. */
  readonly expiration: string | null;
  readonly comments: string | null;
  readonly status: AppliedControlStatus;
  readonly exceptionId: string;
}

/** What the status of an applied control is derived from: its exception, null once that is gone. */
export type ControlException = Pick<SodExceptionRecord, 'end' | 'approved' | 'revoked' | 'voided'> | null;

/** The status of an applied control at an instant. A request that was never approved is canceled at its end. */
export function appliedControlStatus(exception: ControlException, now: string): AppliedControlStatus {
  if (exception === null) return 'Canceled';
  const state = exceptionStateAt(exception, now);
  if (state === 'REQUESTED') return 'Pending';
  if (state === 'APPROVED') return 'Active';
  return state === 'EXPIRED' && exception.approved !== null ? 'Completed' : 'Canceled';
}

/** An applied control as answers show it at an instant. */
export const showAppliedControl = (
  applied: Omit<AppliedControl, 'violation' | 'status' | 'expiration'>,
  exception: ControlException,
  now: string,
): AppliedControl => ({
  id: applied.id,
  violation: applied.violationRef.id,
  violationRef: applied.violationRef,
  control: applied.control,
  applier: applied.applier,
  appliedDate: applied.appliedDate,
  expiration: exception?.end ?? null,
  comments: applied.comments,
  status: appliedControlStatus(exception, now),
  exceptionId: applied.exceptionId,
});
