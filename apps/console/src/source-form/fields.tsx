import type { Source } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { identityProfilesQuery } from '../service/people/new-person.ts';
import { CheckField } from '../ui/fields/check-field.tsx';
import { NumberField } from '../ui/fields/number-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx';
import type { Refusals } from '../ui/forms/refusals.ts';
import { Rules } from './rules.tsx';
import { SOURCE_FORM_TEXTS } from './texts.ts';

/** The properties of a source that its form changes. */
export const SOURCE_FIELDS = [
  'name',
  'description',
  'authoritative',
  'identityProfileId',
  'correlation',
  'ignoreDisabled',
  'deleteThresholdPercent',
  'groups',
] as const;

export type SourceForm = Pick<Source, (typeof SOURCE_FIELDS)[number]>;

export interface SourceFieldsProps {
  readonly value: SourceForm;
  readonly refusals: Refusals;
  readonly onChange: (part: Partial<SourceForm>) => void;
}

/** The fields of a source. */
export function SourceFields({ value, refusals: { at }, onChange }: SourceFieldsProps) {
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  return (
    <>
      <TextField
        label={formText('name')}
        value={value.name}
        errors={at['name']}
        onChange={(name) => onChange({ name })}
      />
      <TextAreaField
        label={formText('description')}
        value={value.description ?? ''}
        errors={at['description']}
        onChange={(text) => onChange({ description: text === '' ? null : text })}
      />
      <Rules
        rules={value.correlation}
        errors={at['correlation']}
        onChange={(correlation) => onChange({ correlation })}
      />
      <CheckField
        label={formText('authoritative.check')}
        hint={formText('authoritative.hint')}
        checked={value.authoritative}
        onChange={(authoritative) => onChange({ authoritative })}
      />
      {value.authoritative && (
        <Profile
          value={value.identityProfileId}
          errors={at['identityProfileId']}
          onChange={(identityProfileId) => onChange({ identityProfileId })}
        />
      )}
      <CheckField
        label={formText('ignoreDisabled.check')}
        checked={value.ignoreDisabled}
        onChange={(ignoreDisabled) => onChange({ ignoreDisabled })}
      />
      <NumberField
        label={formText('deleteThresholdPercent')}
        hint={formText('deleteThresholdPercent.hint')}
        unit={formText('percent')}
        value={value.deleteThresholdPercent}
        errors={at['deleteThresholdPercent']}
        onChange={(deleteThresholdPercent) => onChange({ deleteThresholdPercent })}
      />
      <SelectField
        label={formText('groups')}
        value={value.groups}
        options={(['ENTITLEMENT', 'ROLE'] as const).map((group) => ({
          value: group,
          label: formText(`groups.${group}`),
        }))}
        onChange={(groups) => onChange({ groups })}
      />
    </>
  );
}

interface ProfileProps {
  readonly value: string | null;
  readonly errors: readonly string[] | undefined;
  readonly onChange: (value: string | null) => void;
}

/** The identity profile of the people that the source makes. */
function Profile({ value, errors, onChange }: ProfileProps) {
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  const profiles = useQuery(identityProfilesQuery(useApi())).data ?? [];
  // One that is gone stays chosen until another one is.
  const known = profiles.some(({ id }) => id === value) || value === null ? [] : [{ id: value, name: value }];
  return (
    <SelectField
      label={formText('identityProfileId')}
      value={value ?? ''}
      errors={errors}
      options={[
        { value: '', label: formText('identityProfileId.default') },
        ...[...known, ...profiles].map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}
