import type { Source } from '@access-admin/client';
import { useRef } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { FieldErrors } from '../ui/fields/field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { ACCOUNT_FIELDS, attributeOf, fieldOfAttribute, IDENTITY_FIELDS, useFieldName } from './field-names.ts';
import styles from './rules.module.css';
import { SOURCE_FORM_TEXTS } from './texts.ts';

type Rule = Source['correlation'][number];

const RULES_MAX = 10;
const NEW_RULE: Rule = { account: 'id', identity: 'externalId' };

export interface RulesProps {
  readonly rules: readonly Rule[];
  readonly errors: readonly string[] | undefined;
  readonly onChange: (rules: readonly Rule[]) => void;
}

/** The rules by which accounts find their people, in their order. */
export function Rules({ rules, errors, onChange }: RulesProps) {
  const { number } = useSpeech();
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  const place = useRef<HTMLFieldSetElement>(null);
  const replace = (at: number, part: Partial<Rule>) =>
    onChange(rules.map((rule, each) => (each === at ? { ...rule, ...part } : rule)));
  const remove = (at: number) => {
    onChange(rules.filter((_, each) => each !== at));
    // The button goes with its rule.
    place.current?.focus();
  };
  const moveUp = (at: number) => {
    const [rule] = rules.slice(at, at + 1);
    const others = rules.filter((_, each) => each !== at);
    if (rule !== undefined) onChange([...others.slice(0, at - 1), rule, ...others.slice(at - 1)]);
  };
  return (
    <fieldset ref={place} tabIndex={-1} className={styles['rules']}>
      <legend className="label">{formText('correlation')}</legend>
      <p className="hint">{formText(rules.length === 0 ? 'correlation.none' : 'correlation.hint')}</p>
      {rules.map((rule, at) => {
        const name = formText('correlation.rule', { number: number(at + 1) });
        return (
          <fieldset key={at} className={styles['rule']} aria-label={name}>
            <FieldOfRule
              label={formText('correlation.account')}
              fields={ACCOUNT_FIELDS}
              value={rule.account}
              onChange={(account) => replace(at, { account })}
            />
            <span className={styles['equals']} aria-hidden="true">
              =
            </span>
            <FieldOfRule
              label={formText('correlation.identity')}
              fields={IDENTITY_FIELDS}
              value={rule.identity}
              onChange={(identity) => replace(at, { identity })}
            />
            <span className={styles['ways']}>
              <button type="button" className="button" disabled={at === 0} onClick={() => moveUp(at)}>
                {formText('correlation.up')}
                <span className="away"> {name}</span>
              </button>
              <button type="button" className="button" onClick={() => remove(at)}>
                {formText('correlation.remove')}
                <span className="away"> {name}</span>
              </button>
            </span>
          </fieldset>
        );
      })}
      <FieldErrors errors={errors} />
      {rules.length < RULES_MAX && (
        <p>
          <button type="button" className="button" onClick={() => onChange([...rules, NEW_RULE])}>
            {formText('correlation.add')}
          </button>
        </p>
      )}
    </fieldset>
  );
}

interface FieldOfRuleProps {
  readonly label: string;
  readonly fields: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const ATTRIBUTE = 'attribute';

/** One side of a rule: a known field, or an attribute by its name. */
function FieldOfRule({ label, fields, value, onChange }: FieldOfRuleProps) {
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  const fieldName = useFieldName();
  const attribute = attributeOf(value);
  return (
    <span className={styles['side']}>
      <SelectField
        label={label}
        value={attribute === null ? value : ATTRIBUTE}
        options={[
          ...fields.map((field) => ({ value: field, label: fieldName(field) })),
          { value: ATTRIBUTE, label: formText('field.attribute') },
        ]}
        onChange={(field) => onChange(field === ATTRIBUTE ? fieldOfAttribute('') : field)}
      />
      {attribute !== null && (
        <TextField
          label={formText('correlation.attribute')}
          value={attribute}
          onChange={(name) => onChange(fieldOfAttribute(name))}
        />
      )}
    </span>
  );
}
