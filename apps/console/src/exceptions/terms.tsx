import type { ExceptionTerms } from '@access-admin/client';
import styles from './request.module.css';

/** What an approval is of: the items of each side that is held. */
export function Terms({ terms: { conflictingAccessCriteria: conflict } }: { readonly terms: ExceptionTerms }) {
  const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
  return (
    <ul className={styles['sides']}>
      {sides.map(({ criteriaList }) => (
        <li key={criteriaList.map(({ id }) => id).join()} dir="auto">
          {criteriaList.map(({ name }) => name).join(', ')}
        </li>
      ))}
    </ul>
  );
}
