import { textOfMissing } from '../../access/model/records.ts';
import { type Conflict, type Forbidden, failure, type NotFound } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';

/** The stored data that decide on another owner of a violation. */
export interface ReassignmentView {
  /** Null when there is no such violation. */
  readonly violation: { readonly ownerId: string | null; readonly targetId: string; readonly hasEnded: boolean } | null;
  readonly assigneeExists: boolean;
}

/** The caller of an operation on one violation. */
export interface ViolationCaller {
  /** Null for an application. */
  readonly identityId: string | null;
  /** Whether the rights of the caller cover every violation, not only the caller's own. */
  readonly isForAll: boolean;
}

/** The refusal of a caller that neither has the rights for every violation nor owns this one, which may not exist. */
export const NOT_THE_OWNER: Forbidden = failure(
  'Forbidden',
  '',
  'the identity of the caller needs the capability ORG_ADMIN or POLICY_ADMIN, or must own the violation',
);

/** The refusal to change a violation that has ended. */
const VIOLATION_ENDED: Conflict = failure('Conflict', '', 'the violation has ended: its owner stays as it was');

/** The refusal of an owner without further rights. It must not tell which identities exist: an ended violation can be tried any number of times. */
const NOBODY_TO_REASSIGN_TO: NotFound = failure(
  'NotFound',
  'reassignTo',
  'there is no such identity, or the violation has ended: its owner stays as it was',
);

/**
 * Whether a violation gets another owner: false when the identity owns it already. `Forbidden` for a caller that may not,
 * whether or not the violation exists; `NotFound` without violation or identity; `Conflict` for the identity of the violation
 * itself, and after its end. An owner without further rights gets one `NotFound` for an unknown identity and after the end.
 */
export function decideReassignment(
  { violation, assigneeExists }: ReassignmentView,
  assigneeId: string,
  { identityId, isForAll }: ViolationCaller,
): Result<boolean, Forbidden | NotFound | Conflict> {
  if (!isForAll && (violation === null || identityId === null || violation.ownerId !== identityId))
    return fail(NOT_THE_OWNER);
  if (violation === null) return fail(failure('NotFound', '', 'There is no such violation.'));
  if (!isForAll && assigneeId !== violation.ownerId && (!assigneeExists || violation.hasEnded))
    return fail(NOBODY_TO_REASSIGN_TO);
  if (!assigneeExists) return fail(failure('NotFound', 'reassignTo', textOfMissing('identity', assigneeId)));
  if (assigneeId === violation.targetId)
    return fail(failure('Conflict', 'reassignTo', 'an identity must not own its own violation'));
  if (assigneeId === violation.ownerId) return ok(false);
  return violation.hasEnded ? fail(VIOLATION_ENDED) : ok(true);
}
