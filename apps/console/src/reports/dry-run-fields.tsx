import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { type Offered, policyChoicesQuery } from '../service/look-ups.ts';
import { SUPPOSITIONS, type Supposition } from '../service/reports/start.ts';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { addChoice, Chosen } from './chosen.tsx';
import { REPORTS_TEXTS } from './texts.ts';

/** What a dry-run is asked about. */
interface Supposed {
  readonly policies: readonly Offered<'SOD_POLICY'>[];
  readonly supposition: Supposition;
}

export const NO_SUPPOSITION: Supposed = { policies: [], supposition: 'remove' };

export interface DryRunFieldsProps {
  readonly value: Supposed;
  readonly onChange: (value: Supposed) => void;
}

/** The policies that a dry-run is about, and what it supposes of them. */
export function DryRunFields({ value, onChange }: DryRunFieldsProps) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  const api = useApi();
  const setPolicies = (policies: readonly Offered<'SOD_POLICY'>[]) => onChange({ ...value, policies });
  return (
    <>
      <p>{pageText('dry-run.text')}</p>
      <LookUpField
        label={pageText('dry-run.policies')}
        offer={(typed) => policyChoicesQuery(api, typed)}
        onChoose={(choice) => setPolicies(addChoice(value.policies, choice))}
      />
      <Chosen choices={value.policies} onChange={setPolicies} />
      <SelectField
        label={pageText('dry-run.effect')}
        value={value.supposition}
        options={SUPPOSITIONS.map((each) => ({ value: each, label: pageText(`dry-run.${each}`) }))}
        onChange={(chosen) =>
          onChange({ ...value, supposition: SUPPOSITIONS.find((each) => each === chosen) ?? value.supposition })
        }
      />
    </>
  );
}
