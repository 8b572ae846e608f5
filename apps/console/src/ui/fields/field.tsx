import { type ReactNode, useId } from 'react';
import styles from './fields.module.css';

/** What every field has. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What the service says against the value. */
  readonly errors?: readonly string[] | undefined;
}

/** The attributes that tie a control to its label, its hint and its errors. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** A control with its label above it, and its hint and errors below. */
export function Field({
  label,
  hint,
  errors = [],
  isWide = false,
  children,
}: FieldProps & {
  /** Whether it takes a row of its own where fields stand side by side. */
  readonly isWide?: boolean;
  readonly children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const below = [hint !== undefined && `${id}-hint`, errors.length > 0 && `${id}-errors`].filter(
    (each) => each !== false,
  );
  return (
    <div className={`field ${isWide ? styles['wide'] : ''}`}>
      <label htmlFor={id} className="label">
        {label}
      </label>
      {children({
        id,
        ...(below.length > 0 && { 'aria-describedby': below.join(' ') }),
        ...(errors.length > 0 && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-errors`} errors={errors} />
    </div>
  );
}

/** What is wrong with the value of a field. */
export function FieldErrors({
  id,
  errors = [],
}: {
  readonly id?: string;
  readonly errors?: readonly string[] | undefined;
}) {
  return (
    errors.length > 0 && (
      <div id={id} className="errors" role="alert">
        {errors.map((error) => (
          <p key={error} dir="auto">
            {error}
          </p>
        ))}
      </div>
    )
  );
}
