import type { ViolationSummary } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import styles from '../ui/tables/table.module.css';

const SHOWN = 5;

/** The policies with most open violations. */
export function Policies({ policies }: { readonly policies: ViolationSummary['byPolicy'] }) {
  const { text, number, day } = useSpeech();
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{text('violations.policy')}</th>
          <th scope="col" className={styles['number']}>
            {text('status.Open')}
          </th>
          <th scope="col" className={styles['number']}>
            {text('violations.created')}
          </th>
        </tr>
      </thead>
      <tbody>
        {policies.slice(0, SHOWN).map(({ policy, open, oldest }) => (
          <tr key={policy.id}>
            <th scope="row" className={styles['name']} dir="auto">
              <Link to="/policies/$id" params={{ id: policy.id }}>
                {policy.name}
              </Link>
            </th>
            <td className={styles['number']}>
              <Link to="/violations" search={{ policy: policy.id, status: 'Open' }}>
                {number(open)}
                <span className="away"> {policy.name}</span>
              </Link>
            </td>
            <td className={styles['number']}>{oldest !== null && day(oldest)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
