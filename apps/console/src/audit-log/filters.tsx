import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { filtersOf, RESOURCE_TYPES } from '../service/audit/filters.ts';
import { type AuditSearch, OUTCOMES, parseAuditSearch } from '../service/audit/search.ts';
import { DateField } from '../ui/fields/date-field.tsx';
import { Filters } from '../ui/fields/row.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { AUDIT_TEXTS } from './texts.ts';

/** Which entries the list shows. Every choice is a part of the address. */
export function EntryFilters({ search }: { readonly search: AuditSearch }) {
  const { text, locale } = useSpeech();
  const pageText = usePageTexts(AUDIT_TEXTS);
  const navigate = useNavigate({ from: '/audit-log' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: (present) => parseAuditSearch({ ...present, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') };
  const types = RESOURCE_TYPES.map((value) => ({ value, label: pageText(`type.${value}`) }));
  return (
    <Filters>
      <SearchField
        label={pageText('actor.filter')}
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
        label={pageText('resource.filter')}
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
      <DateField label={pageText('from')} value={search.from ?? ''} onChange={(from) => change({ from })} />
      <DateField label={pageText('until')} value={search.until ?? ''} onChange={(until) => change({ until })} />
      <SelectField
        label={text('violations.sort')}
        value={search.order ?? ''}
        options={[
          { value: '', label: text('violations.sort.newest') },
          { value: 'oldest', label: text('violations.sort.oldest') },
        ]}
        onChange={(order) => change({ order })}
      />
      {filtersOf(search) !== undefined && (
        <button type="button" className="button" onClick={() => navigate({ search: {} })}>
          {text('violations.clear')}
        </button>
      )}
    </Filters>
  );
}
