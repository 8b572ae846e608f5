import type { ExceptionTerms } from '@access-admin/client';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { LevelBadge } from '../ui/badge.tsx';
import styles from './page.module.css';

/** What an approval is of: the policy, and the items of each side that is held. */
export function Terms({ terms }: { readonly terms: ExceptionTerms }) {
  const { policyName, level, conflictingAccessCriteria: conflict } = terms;
  const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
  return (
    <>
      <bdi>{policyName}</bdi> <LevelBadge level={VIOLATION_LEVELS[level]} />
      <ul className={styles['others']}>
        {sides.map(({ criteriaList }) => (
          <li key={criteriaList.map(({ id }) => id).join()} dir="auto">
            {criteriaList.map(({ name }) => name).join(', ')}
          </li>
        ))}
      </ul>
    </>
  );
}
