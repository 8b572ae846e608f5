import { Field, type FieldProps } from './field.tsx';
import styles from './fields.module.css';

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
            className={`control ${styles['number']}`}
            value={value === 0 ? '' : String(value)}
            onChange={({ target }) => onChange(Number(target.value.replaceAll(/\D/g, '').slice(0, 9)))}
          />
          {unit !== undefined && <span className="hint">{unit}</span>}
        </span>
      )}
    </Field>
  );
}
