import type { ReactNode } from 'react';
import styles from './badge.module.css';

export interface MarkProps {
  readonly children: ReactNode;
  /** How much it stands out; a plain one has no color. */
  readonly tone?: 'plain' | 'critical' | 'accent' | 'good';
}

/** A word that marks something in a list. */
export function Mark({ children, tone = 'plain' }: MarkProps) {
  return <span className={`${styles['badge']} ${styles[tone]}`}>{children}</span>;
}
