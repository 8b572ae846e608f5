import { useNavigate } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { parseReportsSearch, REPORT_KINDS, type ReportsSearch, STATE_CHOICES } from '../service/reports/search.ts';
import { Filters } from '../ui/fields/filters.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { OUTCOME_TEXTS } from './outcome/texts.ts';
import { REPORTS_TEXTS } from './texts.ts';

/** Which reports the list shows. Every choice is a part of the address. */
export function ReportFilters({ search }: { readonly search: ReportsSearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(REPORTS_TEXTS);
  const outcomeText = usePageTexts(OUTCOME_TEXTS);
  const navigate = useNavigate({ from: '/reports' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: parseReportsSearch({ ...search, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') } as const;
  return (
    <Filters active={[search.kind, search.state].filter((each) => each !== undefined).length}>
      <SelectField
        label={pageText('kind')}
        value={search.kind ?? ''}
        options={[any, ...REPORT_KINDS.map((value) => ({ value, label: outcomeText(value) }))]}
        onChange={(kind) => change({ kind })}
      />
      <SelectField
        label={pageText('state')}
        value={search.state ?? ''}
        options={[any, ...STATE_CHOICES.map((value) => ({ value, label: outcomeText(value) }))]}
        onChange={(state) => change({ state })}
      />
    </Filters>
  );
}
