import { type Conflict, type Failure, failure } from '../../basics/result/failure.ts';

/** Where a fault of the confirmation is. */
export const IDENTITY_CONFIRMATION = 'X-Confirm-Identity';

/** Whether a caller has repeated the id of the person to erase (`RequiredMissing`, `IllegalValue`). Null when it has. */
export function validateErasure(id: string, confirmation: string | null): Failure | null {
  if (confirmation === id) return null;
  const type = confirmation === null ? 'RequiredMissing' : 'IllegalValue';
  return failure(type, IDENTITY_CONFIRMATION, 'must be the id of the identity, as in the path');
}

/** The refusal to erase an identity that exists. */
export const refusePresentIdentity = (id: string): Conflict =>
  failure('Conflict', '', `the identity ${id} exists: delete it first`);

/** The refusal to erase what an erasure has put in the place of a person. */
export const refusePseudonym = (id: string): Conflict =>
  failure('Conflict', '', `${id} is the pseudonym of an erased person, which is not erased`);
