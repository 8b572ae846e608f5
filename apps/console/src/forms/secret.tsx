import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import styles from './form.module.css';
import { FORM_TEXTS } from './texts.ts';

export interface SecretProps {
  readonly title: string;
  readonly text: string;
  /** The values by their names, such as the id of a client and its secret. */
  readonly values: Readonly<Record<string, string>>;
  readonly onDone: () => void;
}

/** A secret that the service tells only once. */
export function Secret({ title, text, values, onDone }: SecretProps) {
  const formText = usePageTexts(FORM_TEXTS);
  return (
    <section className={styles['secret']} aria-label={title}>
      <p role="status" className={styles['title']}>
        {title}
      </p>
      <p>{text}</p>
      {Object.entries(values).map(([name, value]) => (
        <CopiedValue key={name} name={name} value={value} />
      ))}
      <p>
        <button type="button" className={button['button']} onClick={onDone}>
          {formText('kept')}
        </button>
      </p>
    </section>
  );
}

function CopiedValue({ name, value }: { readonly name: string; readonly value: string }) {
  const formText = usePageTexts(FORM_TEXTS);
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(value).then(() => setCopied(true));
  return (
    <div className={styles['value']}>
      <span className={styles['valueName']}>{name}</span>
      <code>{value}</code>
      <button type="button" className={button['button']} onClick={copy}>
        {formText(isCopied ? 'copied' : 'copy')}
        <span className="away"> {name}</span>
      </button>
    </div>
  );
}
