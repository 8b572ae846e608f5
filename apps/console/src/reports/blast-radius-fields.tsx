import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { accessQuery, type Choice } from '../service/look-ups.ts';
import { GAINING, gainableBy } from '../service/reports/start.ts';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { addChoice, Chosen } from './chosen.tsx';
import { REPORTS_TEXTS } from './texts.ts';

/** What a blast radius is asked about. */
interface Gain {
  /** The role or the access profile. */
  readonly of: Choice | null;
  readonly added: readonly Choice[];
}

export const NO_GAIN: Gain = { of: null, added: [] };

export interface BlastRadiusFieldsProps {
  readonly value: Gain;
  readonly onChange: (value: Gain) => void;
}

/** A role or an access profile, and the access that it would gain. */
export function BlastRadiusFields({ value: { of, added }, onChange }: BlastRadiusFieldsProps) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  const api = useApi();
  const offer = (typed: string, types: readonly Choice['type'][]) => ({
    ...accessQuery(api, typed),
    select: (choices: readonly Choice[]) => choices.filter(({ type }) => types.includes(type)),
  });
  return (
    <>
      <p>{pageText('blast-radius.text')}</p>
      <LookUpField
        label={pageText('blast-radius.of')}
        offer={(typed) => offer(typed, GAINING)}
        onChoose={(chosen) => {
          const types = gainableBy(chosen);
          onChange({ of: chosen, added: added.filter(({ type }) => types.includes(type)) });
        }}
      />
      <Chosen choices={of === null ? [] : [of]} onChange={() => onChange({ of: null, added })} />
      <LookUpField
        label={pageText('blast-radius.add')}
        offer={(typed) => offer(typed, gainableBy(of))}
        onChoose={(choice) => onChange({ of, added: addChoice(added, choice) })}
      />
      <Chosen choices={added} onChange={(left) => onChange({ of, added: left })} />
    </>
  );
}
