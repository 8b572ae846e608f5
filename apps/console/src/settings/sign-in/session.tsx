import type { SessionConfig } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { sessionConfigQuery } from '../../service/settings/queries.ts';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { patchOf } from '../../ui/forms/changes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import columns from '../columns.module.css';
import { SIGN_IN_TEXTS } from './texts.ts';

/** How long people stay signed in. */
export function SessionEditor({ session }: { readonly session: Versioned<SessionConfig> }) {
  const pageText = usePageTexts(SIGN_IN_TEXTS);
  const api = useApi();
  const draft = useDraft({
    read: session,
    queryKey: sessionConfigQuery(api).queryKey,
    save: (changes, ifMatch) => api.authOrg.session.patch(patchOf(changes), { ifMatch }),
  });
  const labels = {
    maxIdleTime: pageText('maxIdleTime'),
    maxSessionTime: pageText('maxSessionTime'),
    rememberMe: pageText('rememberMe'),
  };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  const field = (name: 'maxIdleTime' | 'maxSessionTime') => ({
    label: labels[name],
    hint: pageText(`${name}.hint`),
    unit: pageText('minutes'),
    value: draft.value[name],
    errors: refusals.at[name],
    onChange: (value: number) => draft.change({ [name]: value }),
  });
  const { maxIdleTime: idle, maxSessionTime: total, rememberMe } = draft.value;
  return (
    <Form label={pageText('session')} onSubmit={draft.save}>
      <p className={columns['note']}>{pageText('session.text', { idle, total })}</p>
      <div className={columns['fields']}>
        <NumberField {...field('maxIdleTime')} />
        <NumberField {...field('maxSessionTime')} />
      </div>
      <CheckField
        label={labels.rememberMe}
        hint={pageText('rememberMe.hint')}
        checked={rememberMe}
        onChange={(isOutliving) => draft.change({ rememberMe: isOutliving })}
      />
      <SaveBar draft={draft} labels={labels} refusals={refusals} />
    </Form>
  );
}
