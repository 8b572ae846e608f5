import { useId } from 'react';
import styles from './search.module.css';
import { type TypedProps, useTyped } from './use-typed.ts';

export interface SearchFieldProps extends TypedProps {
  readonly label: string;
}

/** A field for a text that is sought while somebody types. */
export function SearchField({ label, ...props }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useTyped(props);
  return (
    <search className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </search>
  );
}
