import { type ReactNode, useRef } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './file-field.module.css';

export interface FileFieldProps extends FieldProps {
  /** What the browser offers, such as `image/png`. */
  readonly accept: string;
  /** What the button says that chooses a file. */
  readonly choose: string;
  /** What is chosen, before the button. */
  readonly shown?: ReactNode;
  /** What stands beside the button. */
  readonly ways?: ReactNode;
  readonly isDisabled?: boolean;
  readonly onChoose: (file: File) => void;
}

/** A file of the person's device. */
export function FileField({ accept, choose, shown, ways, isDisabled = false, onChoose, ...field }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = (file: File | undefined) => {
    if (file !== undefined) onChoose(file);
    // The same file can be chosen again after it was changed.
    if (input.current !== null) input.current.value = '';
  };
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles['line']}>
          {shown}
          <input
            {...control}
            ref={input}
            type="file"
            accept={accept}
            disabled={isDisabled}
            className={`away ${styles['file']}`}
            onChange={({ target }) => read(target.files?.[0])}
          />
          <label htmlFor={control.id} className="button" aria-disabled={isDisabled}>
            {choose}
          </label>
          {ways}
        </div>
      )}
    </Field>
  );
}
