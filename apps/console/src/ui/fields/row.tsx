import type { ReactNode } from 'react';
import styles from './fields.module.css';

interface FieldRowProps {
  readonly children: ReactNode;
}

/** Fields side by side where there is room. */
export const FieldRow = ({ children }: FieldRowProps) => <div className={styles['row']}>{children}</div>;

/** The fields that choose what a list shows. */
export const Filters = ({ children }: FieldRowProps) => <search className={styles['row']}>{children}</search>;
