import { usePageTexts } from '../../languages/context.tsx';
import { keysOf } from '../../service/keys-of.ts';
import table from '../tables/table.module.css';
import { differencesOf } from './changes.ts';
import styles from './form.module.css';
import { FORM_TEXTS } from './texts.ts';
import type { Draft } from './use-draft.ts';

export interface ConflictProps<T> {
  readonly draft: Draft<T>;
  /** What may be changed, by the labels of the fields. */
  readonly labels: Readonly<Partial<Record<keyof T, string>>>;
}

/** A version that was saved elsewhere, beside the changes. */
export function Conflict<T extends object>({ draft, labels }: ConflictProps<T>) {
  const formText = usePageTexts(FORM_TEXTS);
  const { newer, value } = draft;
  if (newer === null) return null;
  const names = differencesOf(newer, value, keysOf(labels));
  return (
    <div className={styles['conflict']} role="alert">
      <p className={styles['title']}>{formText('conflict')}</p>
      <p>{formText('conflict.text')}</p>
      {names.length === 0 && <p>{formText('conflict.none')}</p>}
      {names.length > 0 && (
        <table className={`${table['table']} ${styles['versions']}`}>
          <thead>
            <tr>
              <th scope="col">{formText('field')}</th>
              <th scope="col">{formText('theirs')}</th>
              <th scope="col">{formText('yours')}</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={String(name)}>
                <th scope="row">{labels[name]}</th>
                <td dir="auto">
                  <Shown value={newer[name]} />
                </td>
                <td dir="auto">
                  {Object.hasOwn(draft.changes, name) ? <Shown value={value[name]} /> : formText('conflict.kept')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles['ways']}>
        <button type="button" className="button" onClick={draft.rebase}>
          {formText('conflict.mine')}
        </button>
        <button type="button" className="button" onClick={draft.discard}>
          {formText('conflict.theirs')}
        </button>
      </p>
    </div>
  );
}

function Shown({ value }: { readonly value: unknown }) {
  const formText = usePageTexts(FORM_TEXTS);
  if (typeof value === 'boolean') return formText(value ? 'yes' : 'no');
  if (Array.isArray(value) && value.length > 0) return value.map(lineOf).join('\n');
  if (value == null || value === '' || Array.isArray(value)) return formText('nothing');
  return String(value);
}

/** An item of a list in one line; an object by its values. */
const lineOf = (item: unknown): string =>
  typeof item === 'object' && item !== null ? Object.values(item).join(' = ') : String(item);
