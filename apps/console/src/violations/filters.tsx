import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { summaryQuery } from '../service/summary.ts';
import {
  GROUPINGS,
  hasSearchLength,
  LEVELS,
  parseViolationSearch,
  STATUSES,
  type ViolationSearch,
} from '../service/violation-search.ts';
import { Filters } from '../ui/fields/filters.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { VIOLATIONS_TEXTS } from './texts.ts';

/** What the list shows. Every choice is a part of the address. */
export function ViolationFilters({ search }: { readonly search: ViolationSearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const navigate = useNavigate({ from: '/violations' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: (present) => parseViolationSearch({ ...present, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') };
  return (
    <Filters active={activeOf(search)}>
      <SelectField
        label={text('violations.status')}
        value={search.status ?? ''}
        options={[any, ...STATUSES.map((value) => ({ value, label: text(`status.${value}`) }))]}
        onChange={(status) => change({ status })}
      />
      <SelectField
        label={text('violations.level')}
        value={search.level ?? ''}
        options={[any, ...LEVELS.map((value) => ({ value, label: text(`level.${value}`) }))]}
        onChange={(level) => change({ level })}
      />
      {search.mine !== true && <PolicyField search={search} onChange={(policy) => change({ policy })} />}
      <SelectField
        label={text('violations.sort')}
        value={search.sort ?? '-created'}
        options={[
          { value: '-created', label: text('violations.sort.newest') },
          { value: 'created', label: text('violations.sort.oldest') },
          { value: '-level', label: pageText('sort.level') },
        ]}
        onChange={(sort) => change({ sort })}
      />
      <SelectField
        label={pageText('group')}
        value={search.group ?? ''}
        options={[
          { value: '', label: pageText('group.none') },
          ...GROUPINGS.map((value) => ({ value, label: text(`violations.${value}`) })),
        ]}
        onChange={(group) => change({ group })}
      />
      <SearchField
        label={pageText('search')}
        hintOn={(typed) => (typed !== '' && !hasSearchLength(typed) ? pageText('search.hint') : undefined)}
        value={search.person ?? ''}
        onChange={(person) => change({ person })}
      />
      {search.mine === true && search.policy !== undefined && (
        <button type="button" className="button" onClick={() => change({ policy: '' })}>
          {pageText('policy.clear')}
        </button>
      )}
      {search.target !== undefined && (
        <button type="button" className="button" onClick={() => change({ target: '' })}>
          {pageText('target.clear')}
        </button>
      )}
      {search.overdue === true && (
        <button type="button" className="button" onClick={() => change({ overdue: '' })}>
          {pageText('overdue.clear')}
        </button>
      )}
      {search.owner !== undefined && (
        <button type="button" className="button" onClick={() => change({ owner: '' })}>
          {pageText('owner.clear')}
        </button>
      )}
    </Filters>
  );
}

/** How many filters are set. */
const activeOf = ({ mine: _, sort: _sort, group: _group, ...filters }: ViolationSearch): number =>
  Object.keys(filters).length;

/** A choice of the policies that have violations, and of the one that the address names. */
function PolicyField({
  search: { policy },
  onChange,
}: {
  readonly search: ViolationSearch;
  readonly onChange: (policy: string) => void;
}) {
  const { text } = useSpeech();
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const { data } = useQuery(summaryQuery(useApi()));
  const counted = (data?.byPolicy ?? []).map((each) => ({ value: each.policy.id, label: each.policy.name }));
  const isCounted = policy === undefined || counted.some(({ value }) => value === policy);
  const known = isCounted ? counted : [...counted, { value: policy, label: policy }];
  return (
    <SelectField
      label={text('violations.policy')}
      isShort
      value={policy ?? ''}
      options={[
        { value: '', label: pageText('policy.clear') },
        ...known.toSorted((one, other) => one.label.localeCompare(other.label)),
      ]}
      onChange={onChange}
    />
  );
}
