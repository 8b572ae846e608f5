import type { AuthProfile, AuthProfileSettings, AuthProfileType } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { authProfilesQuery } from '../../service/settings/queries.ts';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { RadioField } from '../../ui/fields/radio-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { patchOf } from '../../ui/forms/changes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { type Refusals, sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { type Draft, useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import columns from '../columns.module.css';
import { useGuardExplanation } from '../lock-out/guard.ts';
import { LockOutPreview } from '../lock-out/preview.tsx';
import { AUTH_PROFILE_TEXTS } from './texts.ts';

const TYPES: readonly AuthProfileType[] = ['NON_PTA', 'MFA', 'PTA', 'BLOCK'];

/** The settings of one auth profile, and the effect of their change on sign-ins. */
export function Editor({ profile }: { readonly profile: Versioned<AuthProfile> }) {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const api = useApi();
  const { id, strongAuthLogin } = profile.value;
  const draft = useDraft({
    read: profile,
    // The list shows the type, so it is read again too.
    queryKey: authProfilesQuery(api).queryKey,
    save: (changes, ifMatch) => api.authProfiles.patch(id, patchOf(changes), { ifMatch }),
  });
  const labels = {
    type: pageText('type'),
    offNetwork: pageText('offNetwork'),
    untrustedGeography: pageText('untrustedGeography'),
    applicationId: pageText('applicationId'),
    applicationName: pageText('applicationName'),
  };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  const { value, change } = draft;
  return (
    <Form label={profile.value.name} onSubmit={draft.save}>
      <RadioField
        label={labels.type}
        value={value.type}
        options={TYPES.map((type) => ({ value: type, label: pageText(type), hint: pageText(`${type}.hint`) }))}
        errors={refusals.at['type']}
        onChange={(type) => change({ type })}
      />
      {(value.type === 'PTA' || value.applicationId !== null) && <Application draft={draft} refusals={refusals} />}
      <CheckField
        label={labels.offNetwork}
        hint={pageText('offNetwork.hint')}
        checked={value.offNetwork}
        onChange={(offNetwork) => change({ offNetwork })}
      />
      <CheckField
        label={labels.untrustedGeography}
        hint={pageText('untrustedGeography.hint')}
        checked={value.untrustedGeography}
        onChange={(untrustedGeography) => change({ untrustedGeography })}
      />
      {strongAuthLogin && <p className={columns['note']}>{pageText('strong')}</p>}
      <LockOutPreview change={{ of: { profile: id }, operations: patchOf<keyof AuthProfileSettings>(draft.changes) }} />
      <SaveBar draft={draft} labels={labels} refusals={refusals} explanation={useGuardExplanation(draft.error)} />
    </Form>
  );
}

interface ApplicationProps {
  readonly draft: Draft<AuthProfile>;
  readonly refusals: Refusals;
}

/** The application that verifies people. What is empty is not set. */
function Application({ draft: { value, change }, refusals }: ApplicationProps) {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  return (
    <>
      <TextField
        label={pageText('applicationId')}
        hint={pageText('applicationId.hint')}
        value={value.applicationId ?? ''}
        errors={refusals.at['applicationId']}
        onChange={(text) => change({ applicationId: text === '' ? null : text })}
      />
      <TextField
        label={pageText('applicationName')}
        value={value.applicationName ?? ''}
        errors={refusals.at['applicationName']}
        onChange={(text) => change({ applicationName: text === '' ? null : text })}
      />
    </>
  );
}
