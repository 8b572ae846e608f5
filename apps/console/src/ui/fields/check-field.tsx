import { type ReactNode, useId } from 'react';
import styles from './fields.module.css';

export interface CheckFieldProps {
  readonly label: string;
  /** Its name among programs, beside the label. */
  readonly code?: string;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  /** Whether it cannot be changed, for a reason that the hint says. */
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A choice between yes and no. */
export function CheckField({ label, code, hint, checked, disabled = false, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={styles['choice']}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
      <label htmlFor={id}>
        {label}
        {code !== undefined && (
          <>
            {' '}
            <code className={styles['code']}>{code}</code>
          </>
        )}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
