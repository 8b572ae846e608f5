import { type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { Field, FieldErrors, type FieldProps } from './field.tsx';

export interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'url';
  readonly placeholder?: string;
  /** How wide it is; as wide as its place by default. */
  readonly width?: 'short' | 'full';
}

/** One line of text. */
export function TextField({ value, onChange, type = 'text', placeholder, width = 'full', ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={type}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          className={`${styles['control']} ${styles[width]}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text. */
export function LinesField({ value, onChange, ...field }: Omit<TextFieldProps, 'type' | 'width' | 'placeholder'>) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          rows={Math.min(12, Math.max(3, value.split('\n').length + 1))}
          spellCheck={false}
          className={`${styles['control']} ${styles['lines']}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export interface NumberFieldProps extends FieldProps {
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly unit?: string;
}

/** A whole number. What is no number is sent as 0, which the service refuses with its bounds. */
export function NumberField({ value, onChange, unit, ...field }: NumberFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <span className={styles['measure']}>
          <input
            {...control}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            className={`${styles['control']} ${styles['number']}`}
            value={value === 0 ? '' : String(value)}
            onChange={({ target }) => onChange(Number(target.value.replaceAll(/\D/g, '').slice(0, 9)))}
          />
          {unit !== undefined && <span className={styles['hint']}>{unit}</span>}
        </span>
      )}
    </Field>
  );
}

export interface CheckFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  /** Whether it cannot be changed, for a reason that the hint says. */
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A choice between yes and no. */
export function CheckField({ label, hint, checked, disabled = false, onChange }: CheckFieldProps) {
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
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface ChoiceFieldProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint: string }[];
  readonly errors?: readonly string[] | undefined;
  readonly onChange: (value: T) => void;
}

/** A choice of one of a few, each with what it means. */
export function ChoiceField<T extends string>({ label, value, options, errors = [], onChange }: ChoiceFieldProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles['choices']}>
      <legend className={styles['label']}>{label}</legend>
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
          <p id={`${name}-${option.value}-hint`} className={styles['hint']}>
            {option.hint}
          </p>
        </div>
      ))}
      <FieldErrors errors={errors} />
    </fieldset>
  );
}
