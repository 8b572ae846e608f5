import type { SodViolation } from '@access-admin/client';
import { useSpeech } from '../languages/context.tsx';
import styles from './badge.module.css';

/** The level of a violation: its color is never the only sign. */
export function LevelBadge({ level }: Pick<SodViolation, 'level'>) {
  const { text } = useSpeech();
  return <span className={`${styles['badge']} ${styles[level.toLowerCase()]}`}>{text(`level.${level}`)}</span>;
}

/** The status of a violation: most are open, so a badge marks the others alone. */
export function StatusBadge({ status }: Pick<SodViolation, 'status'>) {
  const { text } = useSpeech();
  if (status === 'Open') return text(`status.${status}`);
  return <span className={`${styles['badge']} ${styles['plain']}`}>{text(`status.${status}`)}</span>;
}
