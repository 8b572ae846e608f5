import type { Capability } from '../../administration/capability.ts';
import {
  type Cause,
  type Conflict,
  type Failure,
  type Forbidden,
  failure,
  type ReferenceNotFound,
} from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { APPROVING_CAPABILITIES } from './approving.ts';
import { IDENTITY_TIE_HOURS, type IdentityTie, tiedUntil } from './identity-ties.ts';
import type { ExceptionTerms, HeldConflict, SeenConflict } from './terms.ts';

/** The states of an exception: requested, approved, revoked, past its end, or void, when what was approved no longer exists. */
export const SOD_EXCEPTION_STATES = ['REQUESTED', 'APPROVED', 'REVOKED', 'EXPIRED', 'VOID'] as const;
export type SodExceptionState = (typeof SOD_EXCEPTION_STATES)[number];

/** The longest window of an exception. */
export const SOD_EXCEPTION_DAYS_MAX = 366;

const DAY_MS = 86_400_000;

/** A request that an identity may violate a policy for a limited time. */
export interface NewSodException {
  readonly policyId: string;
  readonly identityId: string;
  /** ISO 8601 in UTC with milliseconds, as all instants here; the window is half open. */
  readonly start: string;
  readonly end: string;
  readonly justification: string;
}

/** An exception as it is stored, with the actor and time of each step; null for steps that were not taken. */
export interface SodExceptionRecord extends NewSodException {
  readonly id: string;
  readonly requesterId: string;
  readonly created: string;
  readonly approverId: string | null;
  readonly approved: string | null;
  readonly revokerId: string | null;
  readonly revoked: string | null;
  /**
   * When a change of the policy, the identity or the conflict ended it, or after its end another exception of the pair was
   * requested. This is final, even for a clock that goes back.
   */
  readonly voided: string | null;
  /** The conflict at the approval, to which the approval is bound. */
  readonly approvedConflict: SeenConflict | null;
  /** The digest of the terms when it was requested; null where there was no conflict then. */
  readonly requestedDigest: string | null;
  /** In the order in which they were made. */
  readonly decisions: readonly ExceptionDecision[];
}

/** What was decided on an exception. `REFUSED` is the end of a request, `REVOKED` that of an approval. */
export const EXCEPTION_DECISIONS = ['APPROVED', 'REVOKED', 'REFUSED'] as const;

/** A decision on an exception. It keeps who has made it, whatever becomes of that identity. */
export interface ExceptionDecision {
  readonly action: (typeof EXCEPTION_DECISIONS)[number];
  /** With the name at that time; null where the identity had none. */
  readonly by: { readonly identityId: string; readonly displayName: string | null };
  readonly at: string;
  readonly comment: string | null;
}

/** An exception, and the terms of its present conflict; null where it has none, or waits for no approval. */
export interface SeenException {
  readonly exception: SodExceptionRecord;
  readonly presentTerms: ExceptionTerms | null;
}

/** An exception as answers show it. */
export interface SodException extends Omit<SodExceptionRecord, 'approvedConflict' | 'requestedDigest'> {
  readonly state: SodExceptionState;
  /**
   * What an approval would be of while it is requested, and what it was of afterwards; null where there is no conflict, and
   * where it was never approved.
   */
  readonly terms: ExceptionTerms | null;
}

/** What the state of an exception depends on. */
export type ExceptionDates = Pick<SodExceptionRecord, 'end' | 'approved' | 'revoked' | 'voided'>;

/** The state at an instant. The first final state stays: a revoked or void exception does not expire, an expired one is not void. */
export function exceptionStateAt({ end, approved, revoked, voided }: ExceptionDates, now: string): SodExceptionState {
  if (revoked !== null) return 'REVOKED';
  if (voided !== null) return voided < end ? 'VOID' : 'EXPIRED';
  if (end <= now) return 'EXPIRED';
  return approved === null ? 'REQUESTED' : 'APPROVED';
}

/**
 * An exception with its state at an instant, its properties in the order of answers. A requested one has the terms of its
 * present conflict, if there is one.
 */
export function showSodException(
  exception: SodExceptionRecord,
  now: string,
  presentTerms: ExceptionTerms | null = null,
): SodException {
  const state = exceptionStateAt(exception, now);
  return {
    id: exception.id,
    policyId: exception.policyId,
    identityId: exception.identityId,
    start: exception.start,
    end: exception.end,
    justification: exception.justification,
    state,
    requesterId: exception.requesterId,
    created: exception.created,
    approverId: exception.approverId,
    approved: exception.approved,
    revokerId: exception.revokerId,
    revoked: exception.revoked,
    voided: state === 'VOID' ? exception.voided : null,
    terms: state === 'REQUESTED' ? presentTerms : (exception.approvedConflict?.terms ?? null),
    decisions: exception.decisions,
  };
}

/** Whether the terms of a requested exception are others than when it was requested: an approver has to have seen them. */
export const haveTermsChanged = ({ exception, presentTerms }: SeenException): boolean =>
  (presentTerms?.digest ?? null) !== exception.requestedDigest;

/** The actor on an exception, and the time. */
export interface ExceptionActor {
  readonly identityId: string;
  readonly now: string;
}

/**
 * Validates a request by itself: its window must begin before it ends, end after now and have at most 366 days
 * (`IllegalValue`), and the requester must not be the identity (`Forbidden`). Null when it is valid.
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
    ? failure('Forbidden', 'identityId', 'the requester must not be the identity of the exception')
    : null;
}

/** The stored data that decide on a request. */
export interface NewExceptionView {
  readonly policyExists: boolean;
  readonly identityExists: boolean;
  /** Exceptions of the same policy and identity; those in a final state may be left out. */
  readonly others: readonly SodExceptionRecord[];
  /** How held access violates the policy; null when it does not. */
  readonly conflict: SeenConflict | null;
}

/** Makes a new exception: its policy and its identity must exist (`ReferenceNotFound`) and have no live one together (`Conflict`). */
export function requestException(
  requested: NewSodException,
  { policyExists, identityExists, others, conflict }: NewExceptionView,
  { id, identityId: requesterId, now }: ExceptionActor & { readonly id: string },
): Result<SodExceptionRecord, ReferenceNotFound | Conflict> {
  const { policyId, identityId, start, end, justification } = requested;
  const missing: Cause[] = [];
  if (!policyExists) missing.push({ at: 'policyId', text: 'there is no such SOD policy' });
  if (!identityExists) missing.push({ at: 'identityId', text: 'there is no such identity' });
  if (missing.length > 0) return fail({ type: 'ReferenceNotFound', causes: missing });
  const live = others.find((other) => isLive(other, now));
  if (live !== undefined) return fail(failure('Conflict', '', textOfLive(live, requested, now)));
  return ok({
    id,
    policyId,
    identityId,
    start,
    end,
    justification,
    requesterId,
    created: now,
    requestedDigest: conflict?.terms.digest ?? null,
    approverId: null,
    approved: null,
    approvedConflict: null,
    revokerId: null,
    revoked: null,
    voided: null,
    decisions: [],
  });
}

/** Whether an exception may still count: it is asked for or in force. */
export function isLive(exception: ExceptionDates, now: string): boolean {
  const state = exceptionStateAt(exception, now);
  return state === 'REQUESTED' || state === 'APPROVED';
}

function textOfLive(live: SodExceptionRecord, { start, end }: NewSodException, now: string): string {
  const overlap = live.start < end && start < live.end ? ', and the windows of the two overlap' : '';
  return `there is a live exception of this policy and identity already: ${live.id}, ${exceptionStateAt(live, now)}, from ${live.start} to ${live.end}${overlap}`;
}

/** Whoever decides on an exception, as it is at present. */
export interface DecisionMaker {
  readonly capabilities: readonly Capability[];
  readonly displayName: string | null;
}

/** The stored data that decide on an approval. */
export interface ApprovalView extends DecisionMaker {
  /** How held access violates the policy; null when it does not. */
  readonly conflict: SeenConflict | null;
  /** The recent ties between approver, requester and identity. */
  readonly ties: readonly IdentityTie[];
}

/** A step of an exception that somebody takes, perhaps with a comment. */
export interface DecidingActor extends ExceptionActor {
  readonly comment: string | null;
}

/**
 * Approves a requested exception. `Forbidden`, with a cause for each rule, when the approver is its requester or its
 * identity or no longer has the capability, and when two of these three persons are tied. `Conflict` in another state, and where the conflict does not exist.
 */
export function approveException(
  exception: SodExceptionRecord,
  { capabilities, displayName, conflict, ties }: ApprovalView,
  { identityId: approverId, now, comment }: DecidingActor,
): Result<SodExceptionRecord, Forbidden | Conflict> {
  const causes: Cause[] = [];
  const refuse = (text: string) => causes.push({ at: '', text });
  if (approverId === exception.requesterId) refuse('the approver must not be the requester of the exception');
  if (approverId === exception.identityId) refuse('the approver must not be the identity of the exception');
  if (!APPROVING_CAPABILITIES.some((name) => capabilities.includes(name)))
    refuse(`needs the capability ${APPROVING_CAPABILITIES.join(' or ')}, which the approver no longer has`);
  const approver = { id: approverId, role: 'approver' };
  const requester = { id: exception.requesterId, role: 'requester' };
  const subject = { id: exception.identityId, role: 'identity' };
  for (const [one, other] of [
    [approver, requester],
    [approver, subject],
    [requester, subject],
  ] as const) {
    const until = tiedUntil(ties, [one.id, other.id], now);
    if (until !== null) refuse(textOfTie([one.role, other.role], until));
  }
  if (causes.length > 0) return fail({ type: 'Forbidden', causes });
  const state = exceptionStateAt(exception, now);
  if (state !== 'REQUESTED')
    return fail(failure('Conflict', '', `is ${state}: only a REQUESTED exception can be approved`));
  if (conflict === null) return fail(failure('Conflict', '', 'the access of the identity does not violate the policy'));
  const decision = { action: 'APPROVED', by: { identityId: approverId, displayName }, at: now, comment } as const;
  const decisions = [...exception.decisions, decision];
  return ok({ ...exception, approverId, approved: now, approvedConflict: conflict, decisions });
}

const textOfTie = ([one, other]: readonly [string, string], until: string): string =>
  `one person may act both as the ${one} and as the ${other} of the exception: in the last ${IDENTITY_TIE_HOURS} hours one of the two made a client for the other or rotated its secret, made a sign-in link with which the other was entered, removed its credentials, created it, changed its uid, its identity profile, or the type or application of its auth profile, or gave it ${APPROVING_CAPABILITIES.join(' or ')}. Let another identity be the ${one}, or approve after ${until}`;

/** Revokes a live exception, or refuses a request for one; `Conflict` in another state. */
export function revokeException(
  exception: SodExceptionRecord,
  { displayName }: Pick<DecisionMaker, 'displayName'>,
  { identityId: revokerId, now, comment }: DecidingActor,
): Result<SodExceptionRecord, Conflict> {
  const state = exceptionStateAt(exception, now);
  if (!isLive(exception, now))
    return fail(failure('Conflict', '', `is ${state}: only a REQUESTED or APPROVED exception can be revoked`));
  const action = state === 'REQUESTED' ? 'REFUSED' : 'REVOKED';
  const decision = { action, by: { identityId: revokerId, displayName }, at: now, comment } as const;
  return ok({ ...exception, revokerId, revoked: now, decisions: [...exception.decisions, decision] });
}

/** What exists of the subject of an exception. */
export interface ExceptionGround {
  readonly policyExists: boolean;
  readonly identityExists: boolean;
  readonly conflict: HeldConflict | null;
}

/** What an exception was approved for, if it was. */
export interface ApprovedOf extends Pick<SodExceptionRecord, 'approved'> {
  readonly approvedConflict: HeldConflict | null;
}

/**
 * Whether an exception is void: its policy or identity does not exist any more or, once it is approved, its conflict is no
 * longer the approved one.
 */
export const isVoid = (
  { approved, approvedConflict }: ApprovedOf,
  { policyExists, identityExists, conflict }: ExceptionGround,
): boolean => !policyExists || !identityExists || (approved !== null && !isWithinApproved(conflict, approvedConflict));

/** Whether a conflict is with the policy as it was at the approval and has no item that was not there. */
function isWithinApproved(conflict: HeldConflict | null, approved: HeldConflict | null): boolean {
  if (conflict === null || approved === null || conflict.policy !== approved.policy) return false;
  const known = new Set(approved.items);
  return conflict.items.every((id) => known.has(id));
}
