import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { parseReportsSearch, REPORT_KINDS, type ReportsSearch, STATE_CHOICES } from '../service/reports/search.ts';
import { Filters } from '../ui/fields/row.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { REPORTS_TEXTS } from './texts.ts';

/** Which reports the list shows. Every choice is a part of the address. */
export function ReportFilters({ search }: { readonly search: ReportsSearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORTS_TEXTS);
  const navigate = useNavigate({ from: '/reports' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: parseReportsSearch({ ...search, ...part }), replace: true });
  const optionsOf = (values: typeof REPORT_KINDS | typeof STATE_CHOICES) => [
    { value: '', label: text('violations.any') },
    ...values.map((value) => ({ value, label: pageText(value) })),
  ];
  return (
    <Filters>
      <SelectField
        label={pageText('kind')}
        value={search.kind ?? ''}
        options={optionsOf(REPORT_KINDS)}
        onChange={(kind) => change({ kind })}
      />
      <SelectField
        label={pageText('state')}
        value={search.state ?? ''}
        options={optionsOf(STATE_CHOICES)}
        onChange={(state) => change({ state })}
      />
    </Filters>
  );
}
