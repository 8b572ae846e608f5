import { Field, type FieldProps } from './field.tsx';
import styles from './fields.module.css';
import { type TypedProps, useTyped } from './use-typed.ts';

export interface SearchFieldProps extends Omit<FieldProps, 'hint'>, TypedProps {
  /** What is to be known about what has been typed, such as that it is too short. */
  readonly hintOn?: (typed: string) => string | undefined;
}

/** A text that is sought while somebody types. */
export function SearchField({ value, onChange, hintOn, ...field }: SearchFieldProps) {
  const [typed, setTyped] = useTyped({ value, onChange });
  return (
    <Field {...field} hint={hintOn?.(typed)}>
      {(control) => (
        <input
          {...control}
          type="search"
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          className={`control ${styles['search']}`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Field>
  );
}
