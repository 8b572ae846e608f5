import { useEffect, useRef } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { CopyButton } from '../copy-button.tsx';
import styles from './form.module.css';
import { FORM_TEXTS } from './texts.ts';

export interface SecretProps {
  readonly title: string;
  readonly text: string;
  /** The values by their names, such as the id of a client and its secret. */
  readonly values: Readonly<Record<string, string>>;
  readonly onDone: () => void;
}

/** A secret that the service tells only once. It takes the focus: the form that asked for it may be gone. */
export function Secret({ title, text, values, onDone }: SecretProps) {
  const formText = usePageTexts(FORM_TEXTS);
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section ref={place} tabIndex={-1} className={styles['secret']} aria-label={title}>
      <p className={styles['title']}>{title}</p>
      <p>{text}</p>
      {Object.entries(values).map(([name, value]) => (
        <div key={name} className={styles['value']}>
          <span className={styles['valueName']}>{name}</span>
          <code>{value}</code>
          <CopyButton value={value} of={name} />
        </div>
      ))}
      <p>
        <button type="button" className="button" onClick={onDone}>
          {formText('kept')}
        </button>
      </p>
    </section>
  );
}
