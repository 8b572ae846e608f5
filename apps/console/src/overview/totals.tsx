import type { ViolationSummary } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import styles from './totals.module.css';

/** How many violations there are. Each number leads to the list that it counts. */
export function Totals({ summary }: { readonly summary: Pick<ViolationSummary, 'open' | 'mitigated'> }) {
  const { text, number } = useSpeech();
  return (
    <ul className={styles['totals']}>
      <li>
        <Link to="/violations" search={{ status: 'Open' }} className={styles['total']}>
          <span className={styles['number']}>{number(summary.open)}</span> <span>{text('overview.open')}</span>
        </Link>
      </li>
      <li>
        <Link to="/violations" search={{ status: 'Mitigated' }} className={styles['total']}>
          <span className={styles['number']}>{number(summary.mitigated)}</span>{' '}
          <span>{text('overview.mitigated')}</span>
        </Link>
      </li>
    </ul>
  );
}
