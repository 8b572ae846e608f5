import { useEffect, useId, useState } from 'react';
import styles from './fields.module.css';

// Short enough to feel immediate, long enough that most keys cause no request.
const TYPING_MS = 300;

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  /** What the field offers; any other text may be typed as well. */
  readonly offered?: readonly string[];
  /** Called once nothing was typed for a moment. */
  readonly onChange: (value: string) => void;
}

/** A field for a text that is sought while it is typed. */
export function TextField({ label, value, offered = [], onChange }: TextFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  // The value changes by other means too, such as the button to go back.
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onChange(typed), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        list={`${id}-offered`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <datalist id={`${id}-offered`}>
        {offered.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  );
}
