import type { ViolationSummary } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { LEVELS } from '../service/violation-search.ts';
import { LevelBadge } from '../ui/badge.tsx';
import styles from './levels.module.css';
import { OVERVIEW_TEXTS } from './texts.ts';

const PARTS = 100;

/** The open and mitigated violations, of all levels and of each as a bar, the most severe first. */
export function Levels({ summary }: { readonly summary: Pick<ViolationSummary, 'byLevel' | 'open' | 'mitigated'> }) {
  const { text, number } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const counted = LEVELS.map(
    (level) => summary.byLevel.find((each) => each.level === level) ?? { level, open: 0, mitigated: 0 },
  );
  const most = Math.max(1, ...counted.map(({ open, mitigated }) => open + mitigated));
  return (
    <>
      <p className={styles['totals']}>
        <Link to="/violations" search={{ status: 'Open' }}>
          <span className={styles['total']}>{number(summary.open)}</span> {pageText('open', { count: summary.open })}
        </Link>
        <Link to="/violations" search={{ status: 'Mitigated' }}>
          <span className={styles['total']}>{number(summary.mitigated)}</span>{' '}
          {pageText('mitigated', { count: summary.mitigated })}
        </Link>
      </p>
      <table className={styles['levels']}>
        <thead className="away">
          <tr>
            <th scope="col">{text('violations.level')}</th>
            <td />
            <th scope="col">{text('status.Open')}</th>
            <th scope="col">{text('status.Mitigated')}</th>
          </tr>
        </thead>
        <tbody>
          {counted.map(({ level, open, mitigated }) => (
            <tr key={level}>
              <th scope="row">
                <LevelBadge level={level} />
              </th>
              <td className={styles['bar']}>
                <div className={styles[level.toLowerCase()]}>
                  <span className={styles['open']} style={{ width: `${(open / most) * PARTS}%` }} />
                  <span className={styles['mitigated']} style={{ width: `${(mitigated / most) * PARTS}%` }} />
                </div>
              </td>
              <td className={styles['number']}>
                <Link to="/violations" search={{ level, status: 'Open' }}>
                  {number(open)}
                </Link>
              </td>
              <td className={styles['number']}>
                {mitigated > 0 && (
                  <Link to="/violations" search={{ level, status: 'Mitigated' }}>
                    +{number(mitigated)}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles['legend']}>
        <span className={styles['isOpen']}>{text('status.Open')}</span>
        <span className={styles['isMitigated']}>{text('status.Mitigated')}</span>
      </p>
    </>
  );
}
