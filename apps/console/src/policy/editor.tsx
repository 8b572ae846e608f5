import { PreconditionFailedError } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { Advice, Details } from '../policy-form/details.tsx';
import { Rule } from '../policy-form/rule.tsx';
import { FORM_TEXTS } from '../policy-form/texts.ts';
import { useApi } from '../service/api.tsx';
import { changesOf, type PolicyVersion } from '../service/policy/edit.ts';
import { placeRefusals } from '../service/policy/refusals.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { Failure } from '../ui/failure.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { Actions } from './actions.tsx';
import styles from './editor.module.css';
import { Findings } from './findings.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { POLICY_TEXTS } from './texts.ts';
import { Title } from './title.tsx';
import { useEdit } from './use-edit.ts';
import { useSave } from './use-save.ts';
import { useTrial } from './use-trial.ts';

// Few ever see it: two people have to change one policy at a time.
const Comparison = lazy(() => import('./comparison.tsx').then((file) => ({ default: file.Comparison })));
// It comes below the form, and asks before it deletes.
const DeleteButton = lazy(() => import('./delete-button.tsx').then((file) => ({ default: file.DeleteButton })));
// It takes the place of the form where policies cannot be changed.
const Reading = lazy(() => import('./reading.tsx').then((file) => ({ default: file.Reading })));

/** The form of a policy, and what its changes would do. */
export function Editor({ latest }: { readonly latest: PolicyVersion | null }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const formText = usePageTexts(FORM_TEXTS);
  const { edit, conflicts, change, discard, rebase } = useEdit(latest);
  const save = useSave(edit);
  const trial = useTrial(edit);
  const session = useQuery(sessionQuery(useApi()));
  const missing = session.data === undefined ? null : missingRight('change', session.data);
  const failed = save.error ?? trial.error;
  const refusals = placeRefusals(failed);
  const form = { draft: edit.draft, change, refusals: refusals.byPlace };
  const retry = () => (save.isError ? save.mutate() : trial.start());
  const rule = <Rule key="rule" {...form} />;
  const details = <Details key="details" {...form} />;
  return (
    <>
      <Title edit={edit} />
      {missing !== null && <MissingRight isReadable needed={missing} />}
      {latest !== null && conflicts.length > 0 && (
        <Suspense>
          <Comparison edit={edit} latest={latest} theirs={conflicts} onDiscard={discard} onRebase={rebase} />
        </Suspense>
      )}
      {failed !== null && !refusals.isComplete && !(failed instanceof PreconditionFailedError) && (
        <Failure error={failed} title={pageText(save.isError ? 'save.failed' : 'try.failed')} onRetry={retry} />
      )}
      {latest !== null && <Findings policyId={latest.policy.id} />}
      {missing !== null && latest !== null ? (
        <Suspense>
          <Reading policy={latest.policy} />
        </Suspense>
      ) : (
        <div className={styles['whole']}>
          <div className={styles['columns']}>
            <fieldset disabled={save.isPending} className={styles['form']} aria-label={formText('form')}>
              {latest === null ? [details, rule] : [rule, details]}
              <Advice {...form} />
              {edit.base !== null && (
                <p>
                  <Suspense>
                    <DeleteButton version={edit.base} />
                  </Suspense>
                </p>
              )}
            </fieldset>
            <Actions edit={edit} save={save} trial={trial} onDiscard={discard} />
          </div>
        </div>
      )}
      <LeaveGuard isChanged={changesOf(edit).length > 0} />
    </>
  );
}
