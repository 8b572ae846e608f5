import { Field, type FieldProps } from './field.tsx';
import styles from './fields.module.css';

export interface DateFieldProps extends FieldProps {
  /** A day such as `2027-01-31`; empty for none. */
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (value: string) => void;
}

/** A day. */
export const DateField = (props: DateFieldProps) => <TimeField {...props} type="date" />;

export interface InstantFieldProps extends FieldProps {
  /** A time of the time zone of the browser, such as `2027-01-31T09:30`; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A day and the time of it. */
export const InstantField = (props: InstantFieldProps) => <TimeField {...props} type="datetime-local" />;

function TimeField({
  value,
  min,
  max,
  onChange,
  type,
  ...field
}: DateFieldProps & { readonly type: 'date' | 'datetime-local' }) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={type}
          min={min}
          max={max}
          className={`control ${styles[type === 'date' ? 'date' : 'instant']}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
