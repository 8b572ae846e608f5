import { Field, type FieldProps } from './field.tsx';
import styles from './fields.module.css';

export interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'url';
  readonly placeholder?: string;
  /** How wide it is; as wide as its place by default. */
  readonly width?: 'short' | 'id' | 'full';
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
          className={`control ${styles[width]}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export interface TextAreaFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether each line is a value of its own, such as an address, and no sentence. */
  readonly isList?: boolean;
  readonly isRequired?: boolean;
  readonly lengthMax?: number;
}

/** Several lines of text. */
export function TextAreaField({
  value,
  onChange,
  isList = false,
  isRequired = false,
  lengthMax,
  ...field
}: TextAreaFieldProps) {
  const lines = value.split('\n').length;
  return (
    <Field {...field} isWide>
      {(control) => (
        <textarea
          {...control}
          dir="auto"
          rows={isList ? Math.min(12, Math.max(3, lines + 1)) : 2}
          spellCheck={!isList}
          maxLength={lengthMax}
          aria-required={isRequired}
          className={`control ${styles['lines']} ${isList ? styles['list'] : ''}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
