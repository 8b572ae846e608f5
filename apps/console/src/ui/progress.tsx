import { useId } from 'react';
import styles from './progress.module.css';

export interface ProgressProps {
  /** What is under way, and how far it is. */
  readonly label: string;
  /** From 0 to 1; null where it is unknown. */
  readonly value: number | null;
}

/** How far something is that takes a while. */
export function Progress({ label, value }: ProgressProps) {
  const id = useId();
  return (
    <div className={styles['progress']}>
      <progress aria-labelledby={id} max={1} {...(value === null ? {} : { value })} />
      <span id={id}>{label}</span>
    </div>
  );
}
