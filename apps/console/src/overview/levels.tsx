import type { ViolationSummary } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import { LEVELS } from '../service/violation-search.ts';
import { LevelBadge } from '../ui/badge.tsx';
import styles from '../ui/tables/table.module.css';

/** The open and mitigated violations of each level, the most severe first. */
export function Levels({ levels }: { readonly levels: ViolationSummary['byLevel'] }) {
  const { text, number } = useSpeech();
  const counted = LEVELS.map(
    (level) => levels.find((each) => each.level === level) ?? { level, open: 0, mitigated: 0 },
  );
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{text('violations.level')}</th>
          <th scope="col" className={styles['number']}>
            {text('status.Open')}
          </th>
          <th scope="col" className={styles['number']}>
            {text('status.Mitigated')}
          </th>
        </tr>
      </thead>
      <tbody>
        {counted.map(({ level, open, mitigated }) => (
          <tr key={level}>
            <th scope="row">
              <LevelBadge level={level} />
            </th>
            <td className={styles['number']}>
              <Link to="/violations" search={{ level, status: 'Open' }}>
                {number(open)}
              </Link>
            </td>
            <td className={styles['number']}>
              <Link to="/violations" search={{ level, status: 'Mitigated' }}>
                {number(mitigated)}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
