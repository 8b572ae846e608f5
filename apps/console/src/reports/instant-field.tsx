import { useId } from 'react';
import fields from '../parts/fields/fields.module.css';
import styles from './start.module.css';

export interface InstantFieldProps {
  readonly label: string;
  readonly hint: string;
  /** A time of the time zone of the browser, such as `2027-01-31T09:30`; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for a day and the time of it. */
export function InstantField({ label, hint, value, onChange }: InstantFieldProps) {
  const id = useId();
  return (
    <div className={fields['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className={styles['hint']}>
        {hint}
      </p>
    </div>
  );
}
