import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { ChoiceField } from '../parts/fields/choice.tsx';
import { SearchField } from '../parts/fields/search.tsx';
import { LookUpField } from '../parts/look-up-field.tsx';
import { FORM_TEXTS } from '../policy-form/texts.ts';
import { useApi } from '../service/api.tsx';
import { nameQuery, peopleQuery } from '../service/look-ups.ts';
import { FINDING_CHOICES, POLICY_SORTS, type PolicySearch, parsePolicySearch } from '../service/policy/search.ts';
import { FORMS, LEVELS, STATES, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import styles from './page.module.css';
import { POLICIES_TEXTS } from './texts.ts';

/** What the list shows. Every choice is a part of the address. */
export function Filters({ search }: { readonly search: PolicySearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(POLICIES_TEXTS);
  const formText = usePageTexts(FORM_TEXTS);
  const navigate = useNavigate({ from: '/policies' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: (present) => parsePolicySearch({ ...present, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') };
  return (
    <search className={styles['filters']}>
      <SearchField label={pageText('search')} value={search.name ?? ''} onChange={(name) => change({ name })} />
      <ChoiceField
        label={formText('state')}
        value={search.state ?? ''}
        options={[any, ...STATES.map((value) => ({ value, label: formText(value) }))]}
        onChange={(state) => change({ state })}
      />
      <ChoiceField
        label={formText('level')}
        value={search.level ?? ''}
        options={[any, ...LEVELS.map((value) => ({ value, label: text(`level.${VIOLATION_LEVELS[value]}`) }))]}
        onChange={(level) => change({ level })}
      />
      <ChoiceField
        label={pageText('form')}
        value={search.form ?? ''}
        options={[any, ...FORMS.map((value) => ({ value, label: formText(value) }))]}
        onChange={(form) => change({ form })}
      />
      <ChoiceField
        label={pageText('findings')}
        value={search.finding ?? ''}
        options={[
          { value: '', label: pageText('findings.all') },
          ...FINDING_CHOICES.map((value) => ({ value, label: pageText(`findings.${value}` as const) })),
        ]}
        onChange={(finding) => change({ finding })}
      />
      <ChoiceField
        label={text('violations.sort')}
        value={search.sort ?? 'name'}
        options={POLICY_SORTS.map((value) => ({ value, label: pageText(`sort.${value}` as const) }))}
        onChange={(sort) => change({ sort })}
      />
      <Owner id={search.owner} onChange={(owner) => change({ owner })} />
    </search>
  );
}

function Owner({ id, onChange }: { readonly id: string | undefined; readonly onChange: (id: string) => void }) {
  const pageText = usePageTexts(POLICIES_TEXTS);
  const api = useApi();
  const name = useQuery({ ...nameQuery(api, { type: 'IDENTITY', id: id ?? '' }), enabled: id !== undefined });
  if (id === undefined)
    return (
      <LookUpField
        label={pageText('owner')}
        offer={(typed) => peopleQuery(api, typed)}
        onChoose={(choice) => onChange(choice.id)}
      />
    );
  return (
    <button type="button" className={button['button']} onClick={() => onChange('')}>
      {pageText('owner.clear', { name: name.data ?? id })}
    </button>
  );
}
