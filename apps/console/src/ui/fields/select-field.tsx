import { Field, type FieldProps } from './field.tsx';
import styles from './fields.module.css';

/** One of the values that a field offers. */
export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
}

export interface SelectFieldProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly options: readonly Option<T>[];
  /** Whether its width does not follow what it offers, where that comes later or is long. */
  readonly isShort?: boolean;
  readonly onChange: (value: T) => void;
}

/** A choice of one of a few values. */
export function SelectField<T extends string>({
  value,
  options,
  isShort = false,
  onChange,
  ...field
}: SelectFieldProps<T>) {
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className={`control ${isShort ? styles['short'] : ''}`}
          value={value}
          onChange={({ target }) => choose(target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
