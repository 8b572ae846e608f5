import { lazy, Suspense } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { FORM_TEXTS } from '../policy-form/texts.ts';
import { changesOf, type Edit } from '../service/policy/edit.ts';
import { Card } from '../ui/card.tsx';
import styles from './editor.module.css';
import { POLICY_TEXTS } from './texts.ts';
import type { useSave } from './use-save.ts';
import type { useTrial } from './use-trial.ts';

const TrialResult = lazy(() => import('./trial-result.tsx').then((file) => ({ default: file.TrialResult })));

export interface ActionsProps {
  readonly edit: Edit;
  readonly save: ReturnType<typeof useSave>;
  readonly trial: ReturnType<typeof useTrial>;
  readonly onDiscard: () => void;
}

/** The ways to try an edit, to save it and to discard it. */
export function Actions({ edit, save, trial, onDiscard }: ActionsProps) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const formText = usePageTexts(FORM_TEXTS);
  const { list } = useSpeech();
  const changed = changesOf(edit);
  const isTried = trial.isSuccess && !trial.isOutdated;
  const isBusy = trial.isPending || save.isPending;
  // Buttons that were disabled otherwise would lose the focus while they work.
  const canSave = !isBusy && changed.length > 0;
  const classOf = (isMain: boolean) => `button ${isMain ? 'main' : ''}`;
  return (
    <aside className={styles['actions']} aria-label={pageText('actions')}>
      <Card title={pageText('actions')}>
        <p className={styles['hint']}>
          {changed.length === 0
            ? pageText('changed.none')
            : pageText('changed', { names: list(changed.map((aspect) => formText(aspect))) })}
        </p>
        <p className={styles['buttons']}>
          <button
            type="button"
            className={classOf(!isTried)}
            aria-disabled={isBusy}
            onClick={() => {
              if (isBusy) return;
              save.reset();
              trial.start();
            }}
          >
            {pageText(trial.isPending ? 'try.running' : 'try')}
          </button>
          <button
            type="button"
            className={classOf(isTried && changed.length > 0)}
            aria-disabled={!canSave}
            onClick={() => {
              if (!canSave) return;
              trial.reset();
              save.mutate();
            }}
          >
            {pageText('save')}
          </button>
          {changed.length > 0 && (
            <button type="button" className="button" aria-disabled={isBusy} onClick={() => isBusy || onDiscard()}>
              {pageText('discard')}
            </button>
          )}
        </p>
        <Saved isSaved={save.isSuccess && changed.length === 0} />
        <Suspense>
          {trial.data !== undefined && <TrialResult trial={trial.data} isOutdated={trial.isOutdated} />}
        </Suspense>
        {trial.data === undefined && <p className={`${styles['hint']} ${styles['about']}`}>{pageText('try.about')}</p>}
      </Card>
    </aside>
  );
}

/** Says that the edit is saved, until something changes again. */
function Saved({ isSaved }: { readonly isSaved: boolean }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  return (
    <p role="status" className={isSaved ? styles['saved'] : 'away'}>
      {isSaved && pageText('saved')}
    </p>
  );
}
