import type { SodPolicyLevel } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { accessQuery, type Choice, type Offered, policyChoicesQuery } from '../service/look-ups.ts';
import { LEVELS, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { HOLDERS_KEPT, type PlannedFix } from '../service/reports/start.ts';
import { CheckField } from '../ui/fields/check-field.tsx';
import fields from '../ui/fields/fields.module.css';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { FieldRow } from '../ui/fields/row.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { addChoice, Chosen } from './chosen.tsx';
import { REPORTS_TEXTS } from './texts.ts';

export interface FixPlanFieldsProps {
  readonly value: PlannedFix;
  readonly onChange: (value: PlannedFix) => void;
}

/** Which violations a plan is to end, and what is not to be taken away for that. */
export function FixPlanFields({ value, onChange }: FixPlanFieldsProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORTS_TEXTS);
  const api = useApi();
  const { levels, policies, keepHolders, protect } = value;
  const toggle = (level: SodPolicyLevel, isChosen: boolean) =>
    onChange({ ...value, levels: LEVELS.filter((each) => (each === level ? isChosen : levels.includes(each))) });
  const setPolicies = (chosen: readonly Offered<'SOD_POLICY'>[]) => onChange({ ...value, policies: chosen });
  const setProtect = (chosen: readonly Choice[]) => onChange({ ...value, protect: chosen });
  return (
    <>
      <p>{pageText('fix-plan.text')}</p>
      <fieldset className={fields['choices']}>
        <legend className="label">{pageText('fix-plan.levels')}</legend>
        <div className={fields['row']}>
          {LEVELS.map((level) => (
            <CheckField
              key={level}
              label={text(`level.${VIOLATION_LEVELS[level]}`)}
              checked={levels.includes(level)}
              onChange={(isChosen) => toggle(level, isChosen)}
            />
          ))}
        </div>
      </fieldset>
      <LookUpField
        label={pageText('fix-plan.policies')}
        offer={(typed) => policyChoicesQuery(api, typed)}
        onChoose={(choice) => setPolicies(addChoice(policies, choice))}
      />
      <Chosen choices={policies} onChange={setPolicies} />
      <FieldRow>
        <SelectField
          label={pageText('fix-plan.keep')}
          hint={pageText('fix-plan.keep.hint')}
          value={String(keepHolders)}
          options={HOLDERS_KEPT.map((count) => ({ value: String(count), label: String(count) }))}
          onChange={(chosen) => onChange({ ...value, keepHolders: Number(chosen) })}
        />
      </FieldRow>
      <LookUpField
        label={pageText('fix-plan.protect')}
        offer={(typed) => accessQuery(api, typed)}
        onChoose={(choice) => setProtect(addChoice(protect, choice))}
      />
      <Chosen choices={protect} onChange={setProtect} />
    </>
  );
}
