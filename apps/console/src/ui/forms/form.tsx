import { type ReactNode, useEffect, useRef } from 'react';
import styles from './form.module.css';

export interface FormProps {
  readonly label: string;
  /** Whether its first field gets the focus, as in a dialog that was opened for it. */
  readonly hasFocus?: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form that a button or the Enter key submits. The service checks the values and names what is wrong with them. */
export function Form({ label, hasFocus = false, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (hasFocus) form.current?.querySelector('input')?.focus();
  }, [hasFocus]);
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
