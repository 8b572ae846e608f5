import type { IdentityNames, IdentityRef } from '../../access/model/owner.ts';
import { textOfMissing } from '../../access/model/records.ts';
import { equalJson } from '../../basics/json-patch/value.ts';
import { type Conflict, type Failure, failure } from '../../basics/result/failure.ts';
import { failureOf, type Issue } from '../../basics/result/issue.ts';
import type { Control } from './model.ts';

/** The properties of a control that callers give. */
export type ControlFields = Omit<Control, 'created' | 'modified'>;

/**
 * The control that a request makes of the stored one; `before` is null for a new one. Owners are stored without names, and
 * repeated ones once. `modified` changes only when something else does.
 */
export function completeControl(fields: ControlFields, before: Control | null, now: string): Control {
  const { created, modified } = before ?? { created: now, modified: now };
  const control: Control = {
    id: fields.id,
    name: fields.name,
    description: fields.description,
    owner: fields.owner && unnamed(fields.owner),
    secondaryOwners: [...new Map(fields.secondaryOwners.map((owner) => [owner.id, unnamed(owner)])).values()],
    type: fields.type,
    expiration: fields.expiration,
    justificationRequired: fields.justificationRequired,
    created,
    modified,
  };
  return before === null || equalJson(control, before) ? control : { ...control, modified: now };
}

const unnamed = ({ type, id }: IdentityRef): IdentityRef => ({ type, id, name: null });

/** Validates that the owners of a control exist (`ReferenceNotFound`). Null when they do. */
export function validateOwners({ owner, secondaryOwners }: Control, names: IdentityNames): Failure | null {
  const issues: Issue[] = [];
  const expect = (id: string, at: string) => {
    if (!names.has(id)) issues.push({ type: 'ReferenceNotFound', at, text: textOfMissing('identity', id) });
  };
  if (owner !== null) expect(owner.id, 'owner.id');
  for (const [place, { id }] of secondaryOwners.entries()) expect(id, `secondaryOwners[${place}].id`);
  return failureOf(issues);
}

const APPLIED = 'is applied to violations: revoke their exceptions, or wait for their end, first';

/** The uses of a control that prevent its deletion. */
export interface ControlUse {
  /** To a violation. */
  readonly isApplied: boolean;
  /** The id of a policy that allows it; null if none does. */
  readonly policyId: string | null;
}

/** Rejects the deletion of a control that is applied, or that a policy allows; otherwise null. */
export function validateControlDeletion({ isApplied, policyId }: ControlUse): Conflict | null {
  if (isApplied) return failure('Conflict', '', APPLIED);
  return policyId === null
    ? null
    : failure('Conflict', '', `is allowed by the SOD policy ${policyId}: change each policy that allows it first`);
}

/** The text of a cause about a control that an import deletes while it is applied. */
export const textOfApplied = (id: string): string => `control ${id} ${APPLIED}`;
