import type { SodReport } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { OFFERED, type Offered } from '../service/look-ups.ts';
import { LEVELS, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { COVERS, parseReportSearch, REPORT_CHANGES, type ReportSearch } from '../service/reports/search.ts';
import { foldName } from '../service/search-parts.ts';
import { ChosenField } from '../ui/fields/chosen-field.tsx';
import { Filters } from '../ui/fields/filters.tsx';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { PersonField } from '../ui/fields/person-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { REPORT_TEXTS } from './texts.ts';

export interface FiltersProps {
  readonly report: SodReport;
  readonly search: ReportSearch;
}

/** Which violations the table shows. Every choice is a part of the address. */
export function LineFilters({ report, search }: FiltersProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORT_TEXTS);
  const navigate = useNavigate({ from: '/reports/$id' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: parseReportSearch({ ...search, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') };
  return (
    <Filters active={[search.change, search.level, search.covered, search.policy, search.person].filter(isSet).length}>
      {report.kind !== 'SCAN' && (
        <SelectField
          label={pageText('change')}
          value={search.change ?? ''}
          options={[any, ...REPORT_CHANGES.map((value) => ({ value, label: pageText(value) }))]}
          onChange={(chosen) => change({ change: chosen })}
        />
      )}
      <SelectField
        label={pageText('level')}
        value={search.level ?? ''}
        options={[any, ...LEVELS.map((value) => ({ value, label: text(`level.${VIOLATION_LEVELS[value]}`) }))]}
        onChange={(level) => change({ level })}
      />
      <SelectField
        label={pageText('covered')}
        value={search.covered ?? ''}
        options={[any, ...COVERS.map((value) => ({ value, label: pageText(`covered.${value}`) }))]}
        onChange={(covered) => change({ covered })}
      />
      {search.policy === undefined ? (
        <LookUpField
          label={pageText('policy')}
          offer={(typed) => policiesOf(report, typed)}
          onChoose={({ id }) => change({ policy: id })}
        />
      ) : (
        <ChosenField
          label={pageText('policy')}
          removeLabel={pageText('policy.remove')}
          onRemove={() => change({ policy: '' })}
        >
          {policiesIn(report).find(({ policyId }) => policyId === search.policy)?.name ?? search.policy}
        </ChosenField>
      )}
      <PersonField
        label={pageText('person')}
        id={search.person}
        removeLabel={() => pageText('person.remove')}
        onChoose={({ id }) => change({ person: id })}
        onRemove={() => change({ person: '' })}
      />
    </Filters>
  );
}

const isSet = (value: string | undefined) => value !== undefined;

const policiesIn = ({ summary }: SodReport) => (summary !== null && 'byPolicy' in summary ? summary.byPolicy : []);

/** The policies of a report whose name contains a text. */
const policiesOf = (report: SodReport, typed: string) =>
  queryOptions({
    queryKey: ['report-lines', report.reportId, 'policies', typed],
    queryFn: (): readonly Offered<'SOD_POLICY'>[] => {
      const sought = foldName(typed);
      return policiesIn(report)
        .filter(({ name }) => foldName(name).includes(sought))
        .slice(0, OFFERED)
        .map(({ policyId: id, name }) => ({ type: 'SOD_POLICY', id, name, detail: id }));
    },
  });
