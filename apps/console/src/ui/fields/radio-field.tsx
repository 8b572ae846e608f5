import { useId } from 'react';
import { FieldErrors } from './field.tsx';
import styles from './fields.module.css';

export interface RadioFieldProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint: string }[];
  readonly errors?: readonly string[] | undefined;
  readonly onChange: (value: T) => void;
}

/** A choice of one of a few, each with what it means. */
export function RadioField<T extends string>({ label, value, options, errors, onChange }: RadioFieldProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles['choices']}>
      <legend className="label">{label}</legend>
      {options.map((option) => (
        <div key={option.value} className={styles['choice']}>
          <input
            id={`${name}-${option.value}`}
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-describedby={`${name}-${option.value}-hint`}
          />
          <label htmlFor={`${name}-${option.value}`}>{option.label}</label>
          <p id={`${name}-${option.value}-hint`} className="hint">
            {option.hint}
          </p>
        </div>
      ))}
      <FieldErrors errors={errors} />
    </fieldset>
  );
}
