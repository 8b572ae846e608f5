import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { TERM_TEXTS } from '../policy-form/term-texts.ts';
import { FINDING_CHOICES, POLICY_SORTS, type PolicySearch, parsePolicySearch } from '../service/policy/search.ts';
import { FORMS, LEVELS, STATES, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { Filters } from '../ui/fields/filters.tsx';
import { PersonField } from '../ui/fields/person-field.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { POLICIES_TEXTS } from './texts.ts';

/** What the list shows. Every choice is a part of the address. */
export function PolicyFilters({ search }: { readonly search: PolicySearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(POLICIES_TEXTS);
  const termText = usePageTexts(TERM_TEXTS);
  const navigate = useNavigate({ from: '/policies' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: (present) => parsePolicySearch({ ...present, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') };
  return (
    <Filters active={activeOf(search)}>
      <SearchField label={pageText('search')} value={search.name ?? ''} onChange={(name) => change({ name })} />
      <SelectField
        label={termText('state')}
        value={search.state ?? ''}
        options={[any, ...STATES.map((value) => ({ value, label: termText(value) }))]}
        onChange={(state) => change({ state })}
      />
      <SelectField
        label={termText('level')}
        value={search.level ?? ''}
        options={[any, ...LEVELS.map((value) => ({ value, label: text(`level.${VIOLATION_LEVELS[value]}`) }))]}
        onChange={(level) => change({ level })}
      />
      <SelectField
        label={pageText('form')}
        value={search.form ?? ''}
        options={[any, ...FORMS.map((value) => ({ value, label: termText(value) }))]}
        onChange={(form) => change({ form })}
      />
      <SelectField
        label={pageText('findings')}
        value={search.finding ?? ''}
        options={[
          { value: '', label: pageText('findings.all') },
          ...FINDING_CHOICES.map((value) => ({ value, label: pageText(`findings.${value}` as const) })),
        ]}
        onChange={(finding) => change({ finding })}
      />
      <SelectField
        label={text('violations.sort')}
        value={search.sort ?? 'name'}
        options={POLICY_SORTS.map((value) => ({ value, label: pageText(`sort.${value}` as const) }))}
        onChange={(sort) => change({ sort })}
      />
      <PersonField
        label={pageText('owner')}
        id={search.owner}
        removeLabel={(name) => pageText('owner.clear', { name })}
        onChoose={({ id }) => change({ owner: id })}
        onRemove={() => change({ owner: '' })}
      />
    </Filters>
  );
}

/** How many filters are set. */
const activeOf = ({ sort: _, ...filters }: PolicySearch): number => Object.keys(filters).length;
