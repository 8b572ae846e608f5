import type { Capability } from '../administration/capability.ts';
import {
  type Cause,
  type Conflict,
  type Failure,
  type Forbidden,
  failure,
  type ReferenceNotFound,
} from '../result/failure.ts';
import { fail, ok, type Result } from '../result/result.ts';

/** What becomes of an exception: asked for, in force (in its window), taken back, past its end, or without its conflict. */
export const SOD_EXCEPTION_STATES = ['REQUESTED', 'APPROVED', 'REVOKED', 'EXPIRED', 'VOID'] as const;
export type SodExceptionState = (typeof SOD_EXCEPTION_STATES)[number];

/** The longest window of an exception. */
export const SOD_EXCEPTION_DAYS_MAX = 366;

const DAY_MS = 86_400_000;

/** What is asked for: that an identity may violate a policy for a while. */
export interface NewSodException {
  readonly policyId: string;
  readonly identityId: string;
  /** ISO 8601 in UTC with milliseconds, as all moments here; the window is half open. */
  readonly start: string;
  readonly end: string;
  readonly justification: string;
}

/** An exception as it is kept: what was done to it, by whom and when; null for what was not. */
export interface SodExceptionRecord extends NewSodException {
  readonly id: string;
  readonly requesterId: string;
  readonly created: string;
  readonly approverId: string | null;
  readonly approved: string | null;
  readonly revokerId: string | null;
  readonly revoked: string | null;
  /** When a change took the conflict, the policy or the identity away: for good. */
  readonly voided: string | null;
}

/** An exception as its reader sees it. */
export interface SodException extends SodExceptionRecord {
  readonly state: SodExceptionState;
}

/** The state at a moment. What came first stays: what was revoked or void does not expire, nor the other way round. */
export function exceptionStateAt(
  { end, approved, revoked, voided }: Pick<SodExceptionRecord, 'end' | 'approved' | 'revoked' | 'voided'>,
  now: string,
): SodExceptionState {
  if (revoked !== null) return 'REVOKED';
  if (voided !== null) return 'VOID';
  if (end <= now) return 'EXPIRED';
  return approved === null ? 'REQUESTED' : 'APPROVED';
}

/** An exception with its state at a moment, its properties in the order in which answers have them. */
export const showSodException = (exception: SodExceptionRecord, now: string): SodException => ({
  id: exception.id,
  policyId: exception.policyId,
  identityId: exception.identityId,
  start: exception.start,
  end: exception.end,
  justification: exception.justification,
  state: exceptionStateAt(exception, now),
  requesterId: exception.requesterId,
  created: exception.created,
  approverId: exception.approverId,
  approved: exception.approved,
  revokerId: exception.revokerId,
  revoked: exception.revoked,
  voided: exception.voided,
});

/** Who acts on an exception, and when. */
export interface ExceptionActor {
  readonly identityId: string;
  readonly now: string;
}

/**
 * Judges what is asked for on its own: a window that begins before it ends, ends after now and has at most 366 days
 * (`IllegalValue`), and a requester other than the identity that it is about (`Forbidden`). Null when it may be asked for.
 */
export function validateNewException(
  { identityId, start, end }: NewSodException,
  { identityId: requesterId, now }: ExceptionActor,
): Failure | null {
  if (end <= start) return failure('IllegalValue', 'end', 'must be after start');
  if (Date.parse(end) - Date.parse(start) > SOD_EXCEPTION_DAYS_MAX * DAY_MS)
    return failure('IllegalValue', 'end', `must be at most ${SOD_EXCEPTION_DAYS_MAX} days after start`);
  if (end <= now) return failure('IllegalValue', 'end', 'must be in the future');
  return requesterId === identityId
    ? failure('Forbidden', 'identityId', 'nobody asks for an exception for itself: the requester is the identity')
    : null;
}

/** What there is when an exception is asked for. */
export interface NewExceptionView {
  readonly policyExists: boolean;
  readonly identityExists: boolean;
  /** Exceptions of the same policy and identity; those that have come to an end may be left out. */
  readonly others: readonly SodExceptionRecord[];
}

/** Makes a new exception: its policy and its identity must exist (`ReferenceNotFound`) and have no live one together (`Conflict`). */
export function requestException(
  requested: NewSodException,
  { policyExists, identityExists, others }: NewExceptionView,
  { id, identityId: requesterId, now }: ExceptionActor & { readonly id: string },
): Result<SodExceptionRecord, ReferenceNotFound | Conflict> {
  const { policyId, identityId, start, end, justification } = requested;
  const missing: Cause[] = [];
  if (!policyExists) missing.push({ at: 'policyId', text: 'there is no such SOD policy' });
  if (!identityExists) missing.push({ at: 'identityId', text: 'there is no such identity' });
  if (missing.length > 0) return fail({ type: 'ReferenceNotFound', causes: missing });
  const live = others.find((other) => isLive(other, now));
  if (live !== undefined) return fail(failure('Conflict', '', textOfLive(live, requested, now)));
  const done = { approverId: null, approved: null, revokerId: null, revoked: null, voided: null };
  const given = { policyId, identityId, start, end, justification };
  return ok({ id, ...given, requesterId, created: now, ...done });
}

/** Whether an exception may still count: it is asked for or in force. */
export function isLive(exception: SodExceptionRecord, now: string): boolean {
  const state = exceptionStateAt(exception, now);
  return state === 'REQUESTED' || state === 'APPROVED';
}

function textOfLive(live: SodExceptionRecord, { start, end }: NewSodException, now: string): string {
  const overlap = live.start < end && start < live.end ? ', and the windows of the two overlap' : '';
  return `there is a live exception of this policy and identity already: ${live.id}, ${exceptionStateAt(live, now)}, from ${live.start} to ${live.end}${overlap}`;
}

/** What decides about an approval, besides the exception. */
export interface ApprovalView {
  /** What the approver has at this moment. */
  readonly capabilities: readonly Capability[];
  /** Whether what the identity holds violates the policy. */
  readonly hasConflict: boolean;
}

const APPROVING: readonly Capability[] = ['ORG_ADMIN', 'POLICY_ADMIN'];

/**
 * Approves an exception that is asked for. `Forbidden`, with a cause for each rule: whoever asked for it, whom it is about and
 * who has lost the capability do not approve it. `Conflict` in another state, and where the conflict does not exist.
 */
export function approveException(
  exception: SodExceptionRecord,
  { capabilities, hasConflict }: ApprovalView,
  { identityId: approverId, now }: ExceptionActor,
): Result<SodExceptionRecord, Forbidden | Conflict> {
  const causes: Cause[] = [];
  const refuse = (text: string) => causes.push({ at: '', text });
  if (approverId === exception.requesterId)
    refuse('nobody approves what it has asked for: the approver is the requester');
  if (approverId === exception.identityId) refuse('nobody approves what is about itself: the approver is the identity');
  if (!APPROVING.some((name) => capabilities.includes(name)))
    refuse(`needs the capability ${APPROVING.join(' or ')}, which the approver does not have any more`);
  if (causes.length > 0) return fail({ type: 'Forbidden', causes });
  const state = exceptionStateAt(exception, now);
  if (state !== 'REQUESTED')
    return fail(failure('Conflict', '', `is ${state}: only what is REQUESTED can be approved`));
  if (!hasConflict)
    return fail(
      failure('Conflict', '', 'what the identity holds does not violate the policy: there is nothing to except'),
    );
  return ok({ ...exception, approverId, approved: now });
}

/** Takes back a live exception; `Conflict` in another state. */
export function revokeException(
  exception: SodExceptionRecord,
  { identityId: revokerId, now }: ExceptionActor,
): Result<SodExceptionRecord, Conflict> {
  if (isLive(exception, now)) return ok({ ...exception, revokerId, revoked: now });
  const state = exceptionStateAt(exception, now);
  return fail(failure('Conflict', '', `is ${state}: only what is REQUESTED or APPROVED can be revoked`));
}

/** What there is of what an exception is about. */
export interface ExceptionGround {
  readonly policyExists: boolean;
  readonly identityExists: boolean;
  readonly hasConflict: boolean;
}

/** Whether a live exception is void: its policy or its identity is gone or, once it is approved, the conflict that it was approved for. */
export const isVoid = (
  { approved }: Pick<SodExceptionRecord, 'approved'>,
  { policyExists, identityExists, hasConflict }: ExceptionGround,
): boolean => !policyExists || !identityExists || (approved !== null && !hasConflict);
