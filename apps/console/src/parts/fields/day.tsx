import { useId } from 'react';
import styles from './fields.module.css';

export interface DayFieldProps {
  readonly label: string;
  /** A day such as `2027-01-31`; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for a day. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={({ target }) => onChange(target.value)} />
    </div>
  );
}
