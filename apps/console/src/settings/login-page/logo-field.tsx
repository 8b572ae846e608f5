import { useId, useRef } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { FieldErrors } from '../../ui/fields/field.tsx';
import styles from './logo-field.module.css';
import { LOGIN_PAGE_TEXTS } from './texts.ts';

export interface LogoFieldProps {
  /** A `data:` URL; empty for none. */
  readonly value: string;
  readonly errors: readonly string[] | undefined;
  readonly onChange: (value: string) => void;
}

/** A picture that is chosen from a file. */
export function LogoField({ value, errors, onChange }: LogoFieldProps) {
  const pageText = usePageTexts(LOGIN_PAGE_TEXTS);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (file !== undefined) onChange(await dataUrlOf(file));
    // The same file can be chosen again after it was changed.
    if (input.current !== null) input.current.value = '';
  };
  return (
    <div className="field">
      <label htmlFor={id} className="label">
        {pageText('logo')}
      </label>
      <div className={styles['line']}>
        {value !== '' && <img src={value} alt={pageText('logo.shown')} className={styles['logo']} />}
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/png"
          className={`away ${styles['file']}`}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => read(target.files?.[0])}
        />
        <label htmlFor={id} className="button">
          {pageText('logo.choose')}
        </label>
        {value !== '' && (
          <button type="button" className="button" onClick={() => onChange('')}>
            {pageText('logo.remove')}
          </button>
        )}
      </div>
      <p id={`${id}-hint`} className="hint">
        {pageText('logo.hint')}
      </p>
      <FieldErrors errors={errors ?? []} />
    </div>
  );
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
