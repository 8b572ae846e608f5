import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { csvOf, ndjsonOf } from '../service/reports/file.ts';
import { readPages } from '../service/reports/lines.ts';
import type { ReportSearch } from '../service/reports/search.ts';
import { SaveButton } from '../ui/save-button.tsx';
import styles from './page.module.css';
import { REPORT_TEXTS } from './texts.ts';

const FORMATS = [
  { key: 'csv', type: 'text/csv', write: csvOf },
  { key: 'ndjson', type: 'application/x-ndjson', write: ndjsonOf },
] as const;

export interface SaveButtonsProps {
  readonly reportId: string;
  readonly search: ReportSearch;
}

/** Save the violations of a report that a search finds as a file. */
export function SaveButtons({ reportId, search }: SaveButtonsProps) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const api = useApi();
  return (
    <div className={styles['saves']}>
      {FORMATS.map(({ key, type, write }) => (
        <SaveButton
          key={key}
          label={pageText(key)}
          failed={pageText('save.failed')}
          fileName={`report-${reportId}.${key}`}
          type={type}
          write={(signal) => write(readPages(api, reportId, { search, signal }))}
        />
      ))}
    </div>
  );
}
