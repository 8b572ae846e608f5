import type { AccessRef, SodIndex, ViolationContext, ViolationSide } from '../src/index.ts';
import { expandAccess } from '../src/index.ts';
import { contextsOf } from './entries.ts';

/** A row of a table of predictions: access is ids with a space between them, `ap:` before access profiles and `r:` before roles. */
export interface PredictionRow {
  readonly rule: string;
  readonly held: string;
  readonly requested: string;
  /** Policy, items of each side shown; what was held before in brackets, `!` when preexisting. */
  readonly contexts: readonly string[];
}

/** The refs of access as a row gives it. */
export function refsOf(refs: string): AccessRef[] {
  return refs.split(' ').flatMap((ref): AccessRef[] => {
    if (ref === '') return [];
    if (ref.startsWith('ap:')) return [{ type: 'ACCESS_PROFILE', id: ref.slice(3) }];
    return [ref.startsWith('r:') ? { type: 'ROLE', id: ref.slice(2) } : { type: 'ENTITLEMENT', id: ref }];
  });
}

/** The violations of a row. */
export const predictRow = (
  index: SodIndex,
  { held, requested }: Pick<PredictionRow, 'held' | 'requested'>,
): readonly ViolationContext[] => contextsOf(index, expandAccess(index, refsOf(held)).entitlements, refsOf(requested));

/** A violation as rows show it. */
export function inShort(context: ViolationContext): string {
  const items = ({ criteriaList }: ViolationSide) =>
    criteriaList.map(({ id, existing }) => (existing ? `[${id}]` : id)).join(' ');
  return `${context.policy.id}${context.preexisting ? '!' : ''}: ${sidesIn(context).map(items).join(' | ')}`;
}

/** The sides that a violation shows. */
export const sidesIn = ({ conflictingAccessCriteria: conflict }: ViolationContext): readonly ViolationSide[] =>
  'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
