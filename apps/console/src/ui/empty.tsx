import type { ReactNode } from 'react';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  /** What to do first. */
  readonly children: ReactNode;
}

/** What a list says that has nothing. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={styles['empty']}>
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  );
}
