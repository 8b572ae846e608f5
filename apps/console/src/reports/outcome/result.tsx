import type { FixPlanSummary, ListedSodReport, SodReportTotals } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import styles from './result.module.css';
import { OUTCOME_TEXTS } from './texts.ts';

export interface ResultProps {
  readonly report: Pick<ListedSodReport, 'kind'>;
  readonly summary: SodReportTotals | FixPlanSummary;
}

/** What a report has found, in numbers. */
export function Result({ report: { kind }, summary }: ResultProps) {
  const pageText = usePageTexts(OUTCOME_TEXTS);
  if ('revocations' in summary) {
    const { revocations, ended, violations, optimal, lowerBound } = summary;
    return (
      <>
        <p>{pageText('plan', { count: revocations, ended, violations })}</p>
        {revocations > 0 && (
          <p className={styles['muted']}>
            {optimal ? pageText('plan.best') : pageText('plan.bound', { count: lowerBound })}
          </p>
        )}
      </>
    );
  }
  const { new: added, same, gone, excepted } = summary;
  return (
    <>
      <p>{kind === 'SCAN' ? pageText('violations', { count: same }) : pageText('changes', { added, gone, same })}</p>
      {excepted > 0 && <p className={styles['muted']}>{pageText('excepted', { count: excepted })}</p>}
    </>
  );
}
