import { usePageTexts } from '../../languages/context.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
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
  return (
    <FileField
      label={pageText('logo')}
      hint={pageText('logo.hint')}
      errors={errors}
      accept="image/png"
      choose={pageText('logo.choose')}
      shown={value !== '' && <img src={value} alt={pageText('logo.shown')} className={styles['logo']} />}
      ways={
        value !== '' && (
          <button type="button" className="button" onClick={() => onChange('')}>
            {pageText('logo.remove')}
          </button>
        )
      }
      onChoose={async (file) => onChange(await dataUrlOf(file))}
    />
  );
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
