import { type ReactNode, useId } from 'react';
import styles from './actions.module.css';

/** The fields of a change, side by side where there is room. */
export const ActionFields = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['fields']}>{children}</div>
);

export interface TextAreaFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly lengthMax: number;
  readonly onChange: (value: string) => void;
}

/** Some sentences. */
export function TextAreaField({ label, value, isRequired = false, lengthMax, onChange }: TextAreaFieldProps) {
  const id = useId();
  return (
    <div className={`${styles['field']} ${styles['wide']}`}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        dir="auto"
        maxLength={lengthMax}
        aria-required={isRequired}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

export interface DateFieldProps {
  readonly label: string;
  /** A day such as `2027-01-31`; empty for none. */
  readonly value: string;
  readonly min: string;
  readonly max: string;
  readonly hint: string;
  readonly onChange: (value: string) => void;
}

/** A day between two others. */
export function DateField({ label, hint, onChange, ...input }: DateFieldProps) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="date"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className={styles['hint']}>
        {hint}
      </p>
    </div>
  );
}
