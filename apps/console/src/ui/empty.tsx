import type { ReactNode } from 'react';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  /** What to do first. */
  readonly children: ReactNode;
  /** The ways to do it, side by side. */
  readonly ways?: ReactNode;
}

/** What a list says that has nothing. */
export function Empty({ title, children, ways }: EmptyProps) {
  return (
    <div className={styles['empty']}>
      <p className={styles['title']}>{title}</p>
      {children}
      {ways !== undefined && <div className={styles['ways']}>{ways}</div>}
    </div>
  );
}
