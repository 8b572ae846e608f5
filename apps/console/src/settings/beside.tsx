import type { ReactNode } from 'react';
import styles from './columns.module.css';

export interface BesideProps {
  readonly list: ReactNode;
  /** Whether one of the list is shown in full. */
  readonly isChosen: boolean;
  /** The link to the list, which a narrow screen shows in its place. */
  readonly back: ReactNode;
  /** The chosen one, or what to do while there is none, which a narrow screen leaves out. */
  readonly children: ReactNode;
}

/** A list with one of it in full beside it; on a narrow screen one of the two. */
export const Beside = ({ list, isChosen, back, children }: BesideProps) => (
  <div className={`${styles['beside']} ${styles[isChosen ? 'chosen' : 'unchosen']}`}>
    <div className={styles['all']}>{list}</div>
    <div className={styles['one']}>
      {isChosen && <p className={styles['back']}>{back}</p>}
      {children}
    </div>
  </div>
);
