import { type AccessRef, textOfMissing } from '../../access/model/records.ts';
import type { Failure } from '../../basics/result/failure.ts';
import { failureOf, type Issue } from '../../basics/result/issue.ts';
import { entitlementsOf, type SodIndex } from '../../sod/index.ts';
import type { BlastRadiusRequest } from './report.ts';

/**
 * Validates a blast radius: the type of what is added must fit the role or access profile (`IllegalValue`), and everything
 * must exist (`ReferenceNotFound`). Null when valid.
 */
export function validateBlastRadius({ catalogue }: SodIndex, { kind, id, add }: BlastRadiusRequest): Failure | null {
  const types: readonly AccessRef['type'][] = kind === 'role' ? ['ENTITLEMENT', 'ACCESS_PROFILE'] : ['ENTITLEMENT'];
  const subject = { type: kind === 'role' ? 'ROLE' : 'ACCESS_PROFILE', id } as const;
  const placed = add.map((ref, position) => ({ at: `add[${position}]`, ref }));
  const unfit = placed.flatMap(({ at, ref }): Issue[] =>
    types.includes(ref.type) ? [] : [{ type: 'IllegalValue', at: `${at}.type`, text: `must be ${types.join(' or ')}` }],
  );
  const missing = [{ at: 'id', ref: subject }, ...placed].flatMap(({ at, ref }): Issue[] =>
    entitlementsOf(catalogue, ref) !== undefined
      ? []
      : [{ type: 'ReferenceNotFound', at, text: textOfMissing(ref.type, ref.id) }],
  );
  return failureOf(unfit) ?? failureOf(missing);
}
