import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { filtersOf, RESOURCE_TYPES } from '../service/audit/filters.ts';
import { type AuditSearch, OUTCOMES, parseAuditSearch } from '../service/audit/search.ts';
import { policyChoicesQuery, policyNameQuery } from '../service/look-ups.ts';
import { ChosenField } from '../ui/fields/chosen-field.tsx';
import { DateField } from '../ui/fields/date-field.tsx';
import { Filters } from '../ui/fields/filters.tsx';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { PersonField } from '../ui/fields/person-field.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { FILTER_TEXTS } from './filter-texts.ts';
import styles from './filters.module.css';
import { AUDIT_TEXTS } from './texts.ts';

/** Which entries the list shows. Every choice is a part of the address. */
export function EntryFilters({ search }: { readonly search: AuditSearch }) {
  const { text, locale } = useSpeech();
  const pageText = usePageTexts(AUDIT_TEXTS);
  const filterText = usePageTexts(FILTER_TEXTS);
  const navigate = useNavigate({ from: '/audit-log' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: (present) => parseAuditSearch({ ...present, ...part }), replace: true });
  const isAboutPolicy = search.type === 'SOD_POLICY' && search.resource !== undefined;
  const isFurther =
    search.operation !== undefined ||
    search.outcome !== undefined ||
    search.order !== undefined ||
    (search.type !== undefined && !isAboutPolicy);
  const any = { value: '', label: text('violations.any') };
  const types = RESOURCE_TYPES.map((value) => ({ value, label: filterText(`type.${value}`) }));
  return (
    <Filters active={Object.keys(search).filter((each) => each !== 'order').length}>
      <PersonField
        label={filterText('by')}
        id={search.actor}
        removeLabel={(name) => filterText('remove', { name })}
        onChoose={({ id }) => change({ actor: id })}
        onRemove={() => change({ actor: '' })}
      />
      {!isAboutPolicy && (
        <PersonField
          label={filterText('about')}
          id={search.resource}
          removeLabel={(name) => filterText('remove', { name })}
          onChoose={({ id }) => change({ resource: id, type: '' })}
          onRemove={() => change({ resource: '', type: '' })}
        />
      )}
      {(isAboutPolicy || search.resource === undefined) && (
        <PolicyField
          id={isAboutPolicy ? search.resource : undefined}
          onChoose={(id) => change({ resource: id, type: 'SOD_POLICY' })}
          onRemove={() => change({ resource: '', type: '' })}
        />
      )}
      <DateField label={filterText('from')} value={search.from ?? ''} onChange={(from) => change({ from })} />
      <DateField label={filterText('until')} value={search.until ?? ''} onChange={(until) => change({ until })} />
      {filtersOf(search) !== undefined && (
        <button type="button" className="button" onClick={() => navigate({ search: {} })}>
          {text('violations.clear')}
        </button>
      )}
      <details className={styles['further']} open={isFurther}>
        <summary>{filterText('further')}</summary>
        <div className={styles['ids']}>
          <SearchField
            label={filterText('actor.filter')}
            value={search.actor ?? ''}
            onChange={(actor) => change({ actor: actor.trim() })}
          />
          <SelectField
            label={pageText('resource')}
            value={search.type ?? ''}
            options={[any, ...types.toSorted((one, other) => one.label.localeCompare(other.label, locale))]}
            onChange={(type) => change({ type })}
          />
          <SearchField
            label={filterText('resource.filter')}
            value={search.resource ?? ''}
            onChange={(resource) => change({ resource: resource.trim() })}
          />
          <SearchField
            label={pageText('operation')}
            value={search.operation ?? ''}
            onChange={(operation) => change({ operation: operation.trim() })}
          />
          <SelectField
            label={pageText('outcome')}
            value={search.outcome ?? ''}
            options={[any, ...OUTCOMES.map((value) => ({ value, label: pageText(value) }))]}
            onChange={(outcome) => change({ outcome })}
          />
          <SelectField
            label={text('violations.sort')}
            value={search.order ?? ''}
            options={[
              { value: '', label: text('violations.sort.newest') },
              { value: 'oldest', label: text('violations.sort.oldest') },
            ]}
            onChange={(order) => change({ order })}
          />
        </div>
      </details>
    </Filters>
  );
}

interface PolicyFieldProps {
  readonly id: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onRemove: () => void;
}

/** One policy: looked up, or the one that was chosen. */
function PolicyField({ id, onChoose, onRemove }: PolicyFieldProps) {
  const filterText = usePageTexts(FILTER_TEXTS);
  const api = useApi();
  const known = useQuery({ ...policyNameQuery(api, id ?? ''), enabled: id !== undefined });
  const label = filterText('about.policy');
  if (id === undefined)
    return (
      <LookUpField
        label={label}
        offer={(typed) => policyChoicesQuery(api, typed)}
        onChoose={(one) => onChoose(one.id)}
      />
    );
  const name = known.data ?? id;
  return (
    <ChosenField label={label} removeLabel={filterText('remove', { name })} onRemove={onRemove}>
      {name}
    </ChosenField>
  );
}
