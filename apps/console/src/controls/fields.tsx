import type { Control } from '@access-admin/client';
import { lengthOf } from '../changes/limits.ts';
import { usePageTexts } from '../languages/context.tsx';
import { CheckField } from '../ui/fields/check-field.tsx';
import { NumberField } from '../ui/fields/number-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx';
import type { Refusals } from '../ui/forms/refusals.ts';
import styles from './page.module.css';
import { CONTROL_TEXTS } from './texts.ts';

/** The properties of a control that its form changes. */
export const FIELDS = ['name', 'description', 'expiration', 'justificationRequired'] as const;

export type ControlForm = Pick<Control, (typeof FIELDS)[number]>;

const UNITS = { hour: 'h', day: 'd' } as const;

export interface FieldsProps {
  readonly value: ControlForm;
  readonly refusals: Refusals;
  readonly onChange: (part: Partial<ControlForm>) => void;
}

/** The fields of a control. */
export function Fields({ value, refusals, onChange }: FieldsProps) {
  const pageText = usePageTexts(CONTROL_TEXTS);
  const { count, unit } = lengthOf(value.expiration) ?? { count: 0, unit: 'day' };
  const changeLength = (length: { readonly count?: number; readonly unit?: keyof typeof UNITS }) =>
    onChange({ expiration: `${length.count ?? count}${UNITS[length.unit ?? unit]}` });
  return (
    <>
      <TextField
        label={pageText('name')}
        value={value.name}
        errors={refusals.at['name']}
        onChange={(name) => onChange({ name })}
      />
      <TextAreaField
        isList
        label={pageText('description')}
        hint={pageText('description.hint')}
        value={value.description ?? ''}
        errors={refusals.at['description']}
        onChange={(text) => onChange({ description: text === '' ? null : text })}
      />
      <div className={styles['length']}>
        <NumberField
          label={pageText('expiration')}
          value={count}
          errors={refusals.at['expiration']}
          onChange={(changed) => changeLength({ count: changed })}
        />
        <SelectField
          label={pageText('unit')}
          value={unit}
          options={[
            { value: 'day', label: pageText('unit.day') },
            { value: 'hour', label: pageText('unit.hour') },
          ]}
          onChange={(changed) => changeLength({ unit: changed === 'hour' ? 'hour' : 'day' })}
        />
      </div>
      <CheckField
        label={pageText('justificationRequired')}
        hint={pageText('justificationRequired.hint')}
        checked={value.justificationRequired}
        onChange={(justificationRequired) => onChange({ justificationRequired })}
      />
    </>
  );
}
