import type { Scope } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { FieldErrors } from '../../ui/fields/field.tsx';
import styles from './page.module.css';
import { CLIENT_TEXTS } from './texts.ts';

export interface ScopesProps {
  /** Those that can be given. */
  readonly offered: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly errors: readonly string[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** The scopes of a client, each to choose. */
export function Scopes({ offered, chosen, errors, onChange }: ScopesProps) {
  const pageText = usePageTexts(CLIENT_TEXTS);
  const all = [...new Set([...offered, ...chosen])].toSorted();
  return (
    <fieldset className={styles['scopes']}>
      <legend>{pageText('scopes')}</legend>
      <p className={styles['hint']}>{pageText('scopes.hint')}</p>
      <div className={styles['choices']}>
        {all.map((scope) => (
          <CheckField
            key={scope}
            label={scope}
            checked={chosen.includes(scope)}
            onChange={(isChosen) => onChange(isChosen ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
          />
        ))}
      </div>
      <FieldErrors errors={errors} />
    </fieldset>
  );
}
