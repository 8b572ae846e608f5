import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { peopleQuery } from '../service/look-ups.ts';
import { LEVELS, STATES, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { Card } from '../ui/card.tsx';
import { Chip } from '../ui/chips.tsx';
import { FieldErrors } from '../ui/fields/field.tsx';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx';
import styles from './details.module.css';
import type { FormPartProps } from './rule.tsx';
import { FORM_TEXTS } from './texts.ts';

const LONG_TEXTS = ['description', 'correctionAdvice', 'compensatingControls'] as const;

/** What a policy is called, whether it is enforced, how severe it is and whose it is. */
export function Details(props: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  return (
    <Card title={pageText('details')}>
      <ShortText {...props} aspect="name" />
      <Choices {...props} />
      <Owner {...props} />
    </Card>
  );
}

/** What a policy is for, and what it advises. */
export function Advice(props: FormPartProps) {
  const { draft, change, refusals } = props;
  const pageText = usePageTexts(FORM_TEXTS);
  return (
    <Card title={pageText('advice')}>
      {LONG_TEXTS.map((aspect) => (
        <TextAreaField
          key={aspect}
          label={pageText(aspect)}
          hint={pageText(`${aspect}.hint` as const)}
          value={draft[aspect]}
          errors={refusals.get(aspect)}
          onChange={(text) => change({ [aspect]: text })}
        />
      ))}
      <ShortText {...props} aspect="externalPolicyReference" />
    </Card>
  );
}

interface ShortTextProps extends FormPartProps {
  readonly aspect: 'name' | 'externalPolicyReference';
}

function ShortText({ draft, change, refusals, aspect }: ShortTextProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  return (
    <TextField
      label={pageText(aspect)}
      value={draft[aspect]}
      errors={refusals.get(aspect)}
      onChange={(text) => change({ [aspect]: text })}
    />
  );
}

function Choices({ draft, change, refusals }: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  const { text } = useSpeech();
  return (
    <div className={styles['choices']}>
      <SelectField
        label={pageText('state')}
        value={draft.state}
        options={STATES.map((value) => ({ value, label: pageText(value) }))}
        errors={refusals.get('state')}
        onChange={(state) => change({ state })}
      />
      <SelectField
        label={pageText('level')}
        value={draft.level}
        options={LEVELS.map((value) => ({ value, label: text(`level.${VIOLATION_LEVELS[value]}`) }))}
        errors={refusals.get('level')}
        onChange={(level) => change({ level })}
      />
    </div>
  );
}

function Owner({ draft: { owner }, change, refusals }: FormPartProps) {
  const pageText = usePageTexts(FORM_TEXTS);
  const api = useApi();
  return (
    <div className={styles['owner']}>
      <p className={styles['label']}>{pageText('owner')}</p>
      {owner === null ? (
        <p className={styles['none']}>{pageText('owner.none')}</p>
      ) : (
        <Chip removeLabel={pageText('item.remove', { name: owner.name })} onRemove={() => change({ owner: null })}>
          {owner.name}
        </Chip>
      )}
      <LookUpField
        label={pageText('owner.choose')}
        offer={(typed) => peopleQuery(api, typed)}
        onChoose={({ id, name }) => change({ owner: { id, name } })}
      />
      <FieldErrors errors={refusals.get('owner')} />
    </div>
  );
}
