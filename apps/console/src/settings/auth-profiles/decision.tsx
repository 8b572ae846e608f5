import type { SignInDecision } from '@access-admin/client';
import { Link, useSearch } from '@tanstack/react-router';
import { usePageTexts } from '../../languages/context.tsx';
import columns from '../columns.module.css';
import styles from './page.module.css';
import { AUTH_PROFILE_TEXTS } from './texts.ts';

const CLASSES = { ALLOW: 'good', SECOND_FACTOR: 'good', BLOCK: 'bad' } as const;

/** What a sign-in would do, and all rules that apply. */
export function Decision({ decision: { decision, reasons, authProfile, verifiedBy } }: DecisionProps) {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const search = useSearch({ from: '/settings/auth-profiles' });
  return (
    <>
      <p role="status" className={`${styles['verdict']} ${styles[CLASSES[decision]]}`}>
        {pageText(decision === 'BLOCK' ? 'BLOCKED' : decision)}
      </p>
      {reasons.length === 0 && <p>{pageText('reasons.none')}</p>}
      {reasons.length > 0 && (
        <ul className={styles['reasons']}>
          {reasons.map((reason) => (
            <li key={reason}>
              {pageText(reason)} <code className={styles['code']}>{reason}</code>
            </li>
          ))}
        </ul>
      )}
      {decision !== 'BLOCK' && verifiedBy !== null && <p className={columns['note']}>{pageText(verifiedBy)}</p>}
      {authProfile !== null && (
        <p className={columns['note']}>
          <Link to="/settings/auth-profiles" search={{ ...search, profile: authProfile.id }} dir="auto">
            {pageText('by', { name: authProfile.name })}
          </Link>
        </p>
      )}
    </>
  );
}

interface DecisionProps {
  readonly decision: SignInDecision;
}
