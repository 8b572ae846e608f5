import type { ReactNode } from 'react';
import styles from './fields.module.css';

interface FieldRowProps {
  readonly children: ReactNode;
}

/** Fields side by side where there is room. */
export const FieldRow = ({ children }: FieldRowProps) => <div className={styles['row']}>{children}</div>;
