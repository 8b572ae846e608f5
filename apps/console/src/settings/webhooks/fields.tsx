import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { EVENT_PATTERNS, type Webhook } from '../../service/settings/webhooks.ts';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { FieldErrors } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/fields/text-field.tsx';
import { linesOf } from '../../ui/forms/changes.ts';
import type { Refusals } from '../../ui/forms/refusals.ts';
import styles from './page.module.css';
import { WEBHOOK_TEXTS } from './texts.ts';

/** What somebody may change of a webhook. */
export type WebhookForm = Pick<Webhook, 'name' | 'url' | 'types' | 'format' | 'enabled'>;

export interface SettingFieldsProps {
  readonly value: WebhookForm;
  readonly refusals: Refusals;
  readonly onChange: (part: Partial<WebhookForm>) => void;
}

const FORMATS: readonly Webhook['format'][] = ['cloudevents', 'slack', 'teams'];

/** The fields of a webhook. */
export function SettingFields({ value, refusals, onChange }: SettingFieldsProps) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  return (
    <>
      <TextField
        label={pageText('name')}
        value={value.name}
        errors={refusals.at['name']}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={pageText('url')}
        hint={pageText('url.hint')}
        type="url"
        value={value.url}
        errors={refusals.at['url']}
        onChange={(url) => onChange({ url })}
      />
      <Types types={value.types} errors={refusals.at['types'] ?? []} onChange={(types) => onChange({ types })} />
      <SelectField
        label={pageText('format')}
        hint={pageText('format.hint')}
        value={value.format}
        options={FORMATS.map((format) => ({ value: format, label: pageText(format) }))}
        errors={refusals.at['format']}
        onChange={(format) => onChange({ format })}
      />
      <CheckField
        label={pageText('enabled')}
        hint={pageText('enabled.hint')}
        checked={value.enabled}
        onChange={(enabled) => onChange({ enabled })}
      />
    </>
  );
}

interface TypesProps {
  readonly types: readonly string[];
  readonly errors: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
}

const KNOWN: readonly string[] = EVENT_PATTERNS;

/** The types of events: common ones to choose, others to type. */
function Types({ types, errors, onChange }: TypesProps) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const others = types.filter((type) => !KNOWN.includes(type));
  // The text as it was typed, as long as it stands for these types.
  const [typed, setTyped] = useState('');
  const text = (linesOf(typed) ?? []).join() === others.join() ? typed : others.join('\n');
  const toggle = (type: string, isChosen: boolean) =>
    onChange(isChosen ? [...types, type] : types.filter((each) => each !== type));
  return (
    <fieldset className={styles['types']}>
      <legend>{pageText('types')}</legend>
      <div className={styles['patterns']}>
        {EVENT_PATTERNS.map((pattern) => (
          <CheckField
            key={pattern}
            label={pageText(pattern)}
            code={pattern}
            checked={types.includes(pattern)}
            onChange={(isChosen) => toggle(pattern, isChosen)}
          />
        ))}
      </div>
      <details open={others.length > 0 || errors.length > 0 || undefined}>
        <summary className={styles['summary']}>{pageText('types.others')}</summary>
        <TextAreaField
          isList
          label={pageText('types.others')}
          hint={pageText('types.hint')}
          value={text}
          onChange={(next) => {
            setTyped(next);
            onChange([...types.filter((type) => KNOWN.includes(type)), ...(linesOf(next) ?? [])]);
          }}
        />
      </details>
      <FieldErrors errors={errors} />
    </fieldset>
  );
}
