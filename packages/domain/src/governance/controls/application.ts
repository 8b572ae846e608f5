import { type Conflict, failure, type RequiredMissing } from '../../basics/result/failure.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import type { NewSodException } from '../exceptions/sod-exception.ts';
import { type Control, expirationMs } from './model.ts';

/** The violation that a control is applied to. */
export interface MitigatedViolation {
  readonly policyId: string;
  readonly identityId: string;
  readonly hasEnded: boolean;
}

/**
 * The exception that applying a control requests: from `now` (ISO 8601) for the time of the control, with the comments as its
 * justification, or the name of the control where they are blank. `Conflict` when the violation has ended; `RequiredMissing` without comments
 * where the control needs them.
 */
export function exceptionOfControl(
  { name, expiration, justificationRequired }: Control,
  { policyId, identityId, hasEnded }: MitigatedViolation,
  { comments, now }: { readonly comments: string | null; readonly now: string },
): Result<NewSodException, Conflict | RequiredMissing> {
  if (hasEnded) return fail(failure('Conflict', '', 'the violation has ended'));
  const justification = (comments ?? '').trim() === '' ? null : comments;
  if (justificationRequired && justification === null)
    return fail(failure('RequiredMissing', 'comments', `must not be empty: the control ${name} needs a justification`));
  const end = new Date(Date.parse(now) + (expirationMs(expiration) ?? 0)).toISOString();
  return ok({ policyId, identityId, start: now, end, justification: justification ?? name });
}
