import { usePageTexts } from '../../languages/context.tsx';
import { Conflict, type ConflictProps } from './conflict.tsx';
import styles from './form.module.css';
import { Refusal } from './refusal.tsx';
import type { Refusals } from './refusals.ts';
import { FORM_TEXTS } from './texts.ts';

export interface SaveBarProps<T> extends ConflictProps<T> {
  readonly refusals: Refusals;
  /** What the refusal means in plain words, where the page knows. */
  readonly explanation?: string | null;
}

/** What is below the fields of a form: its conflict, its refusal, and the buttons that save and discard. */
export function SaveBar<T extends object>({ draft, labels, refusals, explanation = null }: SaveBarProps<T>) {
  const formText = usePageTexts(FORM_TEXTS);
  const isShownAtFields = Object.keys(refusals.at).length > 0 && refusals.others.length === 0;
  return (
    <>
      <Conflict draft={draft} labels={labels} />
      {draft.error !== null && !isShownAtFields && (
        <Refusal
          error={draft.error}
          explanation={explanation}
          {...(refusals.others.length > 0 && { texts: refusals.others })}
        />
      )}
      <div className={styles['bar']}>
        <button
          type="submit"
          className="button main"
          // Disabled otherwise, it would lose the focus once it has saved.
          aria-disabled={!draft.canSave}
        >
          {formText(draft.isSaving ? 'saving' : 'save')}
        </button>
        {draft.isChanged && !draft.isSaving && (
          <button type="button" className="button" onClick={draft.discard}>
            {formText('discard')}
          </button>
        )}
        <p role="status" className={styles['status']}>
          {draft.isChanged && formText('changed', { count: Object.keys(draft.changes).length })}
          {draft.isSaved && formText('saved')}
        </p>
      </div>
    </>
  );
}
