import { useEffect, useId, useRef, useState } from 'react';
import styles from './search-field.module.css';

// Short enough to feel immediate, long enough that most keys cause no request.
const TYPING_MS = 200;

export interface SearchFieldProps {
  readonly label: string;
  /** What is sought now. */
  readonly value: string;
  /** Called when nothing has been typed for a moment. */
  readonly onChange: (value: string) => void;
}

/** A field for a text that is sought while somebody types. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  // The value changes by other means too, such as the button to go back; then it replaces what was typed.
  useEffect(() => {
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      onChange(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  });
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
