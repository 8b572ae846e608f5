import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What the service says against the value. */
  readonly refusals?: readonly string[] | undefined;
  readonly children: (control: ControlProps) => ReactNode;
}

/** What ties a control to the texts around it. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** A control with its label, and what the service says against its value. */
export function Field({ label, hint, refusals = [], children }: FieldProps) {
  const id = useId();
  const isRefused = refusals.length > 0;
  const described = [hint !== undefined && `${id}-hint`, isRefused && `${id}-refusal`].filter((each) => each !== false);
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': isRefused,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      <Refused id={`${id}-refusal`} texts={refusals} />
    </div>
  );
}

/** What the service says against a value. */
export function Refused({ id, texts = [] }: { readonly id?: string; readonly texts?: readonly string[] | undefined }) {
  return (
    texts.length > 0 && (
      <p id={id} role="alert" className={styles['refused']} dir="auto">
        {texts.join(' · ')}
      </p>
    )
  );
}
