import type { ListedSodReport, SodReportTotals } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import tableStyles from '../parts/table.module.css';
import { keptUntil } from '../service/reports/list.ts';
import { useKind } from './kind.ts';
import styles from './page.module.css';
import { State } from './state.tsx';
import { REPORTS_TEXTS } from './texts.ts';

export interface RowsProps {
  /** Those that are shown. */
  readonly reports: readonly ListedSodReport[];
}

const HEADS = ['kind', 'state', 'started', 'people', 'result', 'until'] as const;

/** Reports as a table. */
export function Rows({ reports }: RowsProps) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  return (
    <div className={styles['wide']} tabIndex={0} role="group" aria-label={pageText('reports')}>
      <table className={tableStyles['table']}>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col" className={head === 'people' ? tableStyles['number'] : undefined}>
                {pageText(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reports.map((report) => (
            <Row key={report.reportId} report={report} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ report }: { readonly report: ListedSodReport }) {
  const { moment, number, day } = useSpeech();
  const kindOf = useKind();
  const { created, summary, message } = report;
  const until = keptUntil(report);
  return (
    <tr>
      <th scope="row" className={tableStyles['name']}>
        {kindOf(report)}
      </th>
      <td className={styles['state']}>
        <State report={report} />
      </td>
      <td className={styles['date']}>{moment(created)}</td>
      <td className={tableStyles['number']}>{summary === null ? '–' : number(summary.identities)}</td>
      <td className={styles['result']}>
        {summary !== null && <Result report={report} summary={summary} />}
        {message !== undefined && <p dir="auto">{message}</p>}
      </td>
      <td className={styles['date']}>{until === null ? '–' : day(until)}</td>
    </tr>
  );
}

interface ResultProps {
  readonly report: Pick<ListedSodReport, 'kind'>;
  readonly summary: SodReportTotals;
}

/** What a report has found, in numbers. */
export function Result({ report: { kind }, summary }: ResultProps) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  const { new: added, same, gone, excepted } = summary;
  return (
    <>
      <p>{kind === 'SCAN' ? pageText('violations', { count: same }) : pageText('changes', { added, gone, same })}</p>
      {excepted > 0 && <p className={styles['muted']}>{pageText('excepted', { count: excepted })}</p>}
    </>
  );
}
