import type { SodReport } from '@access-admin/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { ChoiceField } from '../parts/fields/choice.tsx';
import fields from '../parts/fields/fields.module.css';
import { LookUpField } from '../parts/look-up-field.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery, OFFERED, type Offered, peopleQuery } from '../service/look-ups.ts';
import { LEVELS, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { COVERS, parseReportSearch, REPORT_CHANGES, type ReportSearch } from '../service/reports/search.ts';
import { foldName } from '../service/search-parts.ts';
import styles from './page.module.css';
import { REPORT_TEXTS } from './texts.ts';

export interface FiltersProps {
  readonly report: SodReport;
  readonly search: ReportSearch;
}

/** Which violations the table shows. Every choice is a part of the address. */
export function Filters({ report, search }: FiltersProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORT_TEXTS);
  const api = useApi();
  const navigate = useNavigate({ from: '/reports/$id' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: parseReportSearch({ ...search, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') };
  return (
    <search className={fields['fields']}>
      {report.kind !== 'SCAN' && (
        <ChoiceField
          label={pageText('change')}
          value={search.change ?? ''}
          options={[any, ...REPORT_CHANGES.map((value) => ({ value, label: pageText(value) }))]}
          onChange={(chosen) => change({ change: chosen })}
        />
      )}
      <ChoiceField
        label={pageText('level')}
        value={search.level ?? ''}
        options={[any, ...LEVELS.map((value) => ({ value, label: text(`level.${VIOLATION_LEVELS[value]}`) }))]}
        onChange={(level) => change({ level })}
      />
      <ChoiceField
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
        <Chosen
          label={pageText('policy')}
          name={policiesIn(report).find(({ policyId }) => policyId === search.policy)?.name ?? search.policy}
          remove={pageText('policy.remove')}
          onRemove={() => change({ policy: '' })}
        />
      )}
      {search.person === undefined ? (
        <LookUpField
          label={pageText('person')}
          offer={(typed) => peopleQuery(api, typed)}
          onChoose={({ id }) => change({ person: id })}
        />
      ) : (
        <ChosenPerson id={search.person} onRemove={() => change({ person: '' })} />
      )}
    </search>
  );
}

const policiesIn = ({ summary }: SodReport) => summary?.byPolicy ?? [];

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

function ChosenPerson({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const name = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  return (
    <Chosen label={pageText('person')} name={name.data ?? id} remove={pageText('person.remove')} onRemove={onRemove} />
  );
}

interface ChosenProps {
  readonly label: string;
  readonly name: string;
  /** What the button says that ends the filter. */
  readonly remove: string;
  readonly onRemove: () => void;
}

function Chosen({ label, name, remove, onRemove }: ChosenProps) {
  return (
    <p className={styles['chosen']}>
      <span>
        {label}: <bdi>{name}</bdi>
      </span>
      <button type="button" className={button['button']} onClick={onRemove}>
        {remove}
      </button>
    </p>
  );
}
