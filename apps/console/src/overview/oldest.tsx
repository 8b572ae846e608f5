import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { oldestOpenQuery } from '../service/queries.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Failure } from '../ui/failure.tsx';
import styles from '../ui/tables/table.module.css';

/** The violations that are open for longest. */
export function Oldest() {
  const { text, day } = useSpeech();
  const oldest = useQuery(oldestOpenQuery(useApi()));
  if (oldest.isError) return <Failure error={oldest.error} onRetry={oldest.refetch} />;
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{text('violations.person')}</th>
          <th scope="col">{text('violations.level')}</th>
          <th scope="col" className={styles['number']}>
            {text('violations.created')}
          </th>
        </tr>
      </thead>
      <tbody>
        {oldest.data?.items.map(({ id, target, policy, level, created }) => (
          <tr key={id}>
            <th scope="row" className={styles['name']} dir="auto">
              <Link to="/people/$id" params={{ id: target.id }}>
                {target.name}
              </Link>
              <br />
              <Link to="/violations" search={{ status: 'Open', sort: 'created', open: id }}>
                {policy.name}
              </Link>
            </th>
            <td>
              <LevelBadge level={level} />
            </td>
            <td className={styles['number']}>{day(created)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
