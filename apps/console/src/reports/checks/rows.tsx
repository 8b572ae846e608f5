import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { type EndedCheck, endedChecksQuery, SEARCHED_EVENTS } from '../../service/reports/checks.ts';
import type { ReportsSearch } from '../../service/reports/search.ts';
import { Failure } from '../../ui/failure.tsx';
import tableStyles from '../../ui/tables/table.module.css';
import { useSecond } from '../../ui/use-second.ts';
import styles from './section.module.css';
import { CHECKS_TEXTS } from './texts.ts';

/** The checks that ended last. */
export function Ended({ search }: { readonly search: ReportsSearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(CHECKS_TEXTS);
  const ended = useQuery(endedChecksQuery(useApi()));
  if (ended.isError) return <Failure error={ended.error} onRetry={ended.refetch} />;
  if (ended.data === undefined) return <p>{text('state.loading')}</p>;
  return (
    <>
      <h3 className={styles['subtitle']}>{pageText('ended')}</h3>
      <p className={styles['about']}>{pageText('ended.about', { count: SEARCHED_EVENTS })}</p>
      {ended.data.length === 0 ? (
        <p className={styles['about']}>{pageText('ended.none')}</p>
      ) : (
        <table aria-label={pageText('ended')} className={`${tableStyles['table']} ${tableStyles['stacked']}`}>
          <thead>
            <tr>
              {(['time', 'result', 'id'] as const).map((head) => (
                <th key={head} scope="col">
                  {pageText(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ended.data.map((check) => (
              <EndedRow key={check.requestId} check={check} search={search} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface EndedRowProps {
  readonly check: EndedCheck;
  readonly search: ReportsSearch;
}

function EndedRow({ check: { requestId, time, state, violationCount }, search }: EndedRowProps) {
  const pageText = usePageTexts(CHECKS_TEXTS);
  const second = useSecond();
  const result = () => {
    if (state === 'ERROR') return pageText('ERROR');
    return violationCount === null ? '–' : pageText('violations', { count: violationCount });
  };
  return (
    <tr>
      <td className={styles['date']}>{second(time)}</td>
      <td>{result()}</td>
      <td>
        <Link to="/reports" search={{ ...search, check: requestId }}>
          <code>{requestId}</code>
        </Link>
      </td>
    </tr>
  );
}
