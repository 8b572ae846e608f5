import { useId } from 'react';
import styles from './fields.module.css';
import { type TypedProps, useTyped } from './use-typed.ts';

export interface TextFieldProps extends TypedProps {
  readonly label: string;
  /** What the field offers; any other text may be typed as well. */
  readonly offered?: readonly string[];
}

/** A field for a text that is sought while it is typed. */
export function TextField({ label, offered = [], ...props }: TextFieldProps) {
  const id = useId();
  const [typed, setTyped] = useTyped(props);
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
