import type { ListedSodReport } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { findScanBefore, keptUntil } from '../service/reports/list.ts';
import tableStyles from '../ui/tables/table.module.css';
import { Question, Requester } from './outcome/question.tsx';
import { Result } from './outcome/result.tsx';
import { State } from './outcome/state.tsx';
import { useKind } from './outcome/use-kind.ts';
import styles from './page.module.css';
import { REPORTS_TEXTS } from './texts.ts';

export interface RowsProps {
  /** Those that are shown. */
  readonly reports: readonly ListedSodReport[];
  /** All that there are. */
  readonly all: readonly ListedSodReport[];
}

const HEADS = ['kind', 'state', 'started', 'people', 'result', 'until'] as const;

/** Reports as a table. */
export function Rows({ reports, all }: RowsProps) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  return (
    <table aria-label={pageText('reports')} className={`${tableStyles['table']} ${tableStyles['stacked']}`}>
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
          <Row key={report.reportId} report={report} before={findScanBefore(all, report)} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly report: ListedSodReport;
  /** The scan before it. */
  readonly before: ListedSodReport | undefined;
}

function Row({ report, before }: RowProps) {
  const pageText = usePageTexts(REPORTS_TEXTS);
  const { moment, number, day } = useSpeech();
  const kindOf = useKind();
  const { reportId, created, requestedBy, summary, message } = report;
  const until = keptUntil(report);
  return (
    <tr>
      <th scope="row" className={tableStyles['name']}>
        <Link to="/reports/$id" params={{ id: reportId }}>
          {kindOf(report)}
        </Link>
        <Question report={report} />
      </th>
      <td className={`${styles['state']} ${tableStyles['mark']}`}>
        <State report={report} />
      </td>
      <td>
        <span className={styles['date']}>{moment(created)}</span>
        <br />
        {pageText('by')} <Requester of={requestedBy} />
      </td>
      <td className={tableStyles['number']} data-label={pageText('people')}>
        {/* A plan counts the people from whom it revokes something. */}
        {summary === null || 'revocations' in summary ? '–' : number(summary.identities)}
      </td>
      <td className={styles['result']}>
        {summary !== null && <Result report={report} summary={summary} />}
        {message !== undefined && <p dir="auto">{message}</p>}
        {before !== undefined && (
          <Link to="/reports/$id" params={{ id: reportId }} search={{ since: before.reportId }}>
            {pageText('difference')}
          </Link>
        )}
      </td>
      <td className={styles['date']} data-label={pageText('until')}>
        {until === null ? '–' : day(until)}
      </td>
    </tr>
  );
}
