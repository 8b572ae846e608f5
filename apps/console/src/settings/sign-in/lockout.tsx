import type { LockoutConfig } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { lockoutQuery } from '../../service/settings/queries.ts';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { patchOf } from '../../ui/forms/changes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import columns from '../columns.module.css';
import { SIGN_IN_TEXTS } from './texts.ts';

/** When failed attempts lock an identity, and for how long. */
export function LockoutEditor({ lockout }: { readonly lockout: Versioned<LockoutConfig> }) {
  const pageText = usePageTexts(SIGN_IN_TEXTS);
  const api = useApi();
  const draft = useDraft({
    read: lockout,
    queryKey: lockoutQuery(api).queryKey,
    save: (changes, ifMatch) => api.authOrg.lockout.patch(patchOf(changes), { ifMatch }),
  });
  const labels = {
    maximumAttempts: pageText('maximumAttempts'),
    lockoutWindow: pageText('lockoutWindow'),
    lockoutDuration: pageText('lockoutDuration'),
  };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  const field = (name: keyof LockoutConfig) => ({
    label: labels[name],
    value: draft.value[name],
    errors: refusals.at[name],
    onChange: (value: number) => draft.change({ [name]: value }),
  });
  const { maximumAttempts: attempts, lockoutWindow: window, lockoutDuration: duration } = draft.value;
  return (
    <Form label={pageText('lockout')} onSubmit={draft.save}>
      <p className={columns['note']}>{pageText('lockout.text', { attempts, window, duration })}</p>
      <div className={columns['fields']}>
        <NumberField {...field('maximumAttempts')} hint={pageText('maximumAttempts.hint')} />
        <NumberField {...field('lockoutWindow')} hint={pageText('minutes.hint')} unit={pageText('minutes')} />
        <NumberField {...field('lockoutDuration')} hint={pageText('minutes.hint')} unit={pageText('minutes')} />
      </div>
      <SaveBar draft={draft} labels={labels} refusals={refusals} />
    </Form>
  );
}
