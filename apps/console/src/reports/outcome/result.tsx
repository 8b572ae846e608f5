import type { ListedSodReport, SodReportTotals } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import styles from './result.module.css';
import { OUTCOME_TEXTS } from './texts.ts';

export interface ResultProps {
  readonly report: Pick<ListedSodReport, 'kind'>;
  readonly summary: SodReportTotals;
}

/** What a report has found, in numbers. */
export function Result({ report: { kind }, summary }: ResultProps) {
  const pageText = usePageTexts(OUTCOME_TEXTS);
  const { new: added, same, gone, excepted } = summary;
  return (
    <>
      <p>{kind === 'SCAN' ? pageText('violations', { count: same }) : pageText('changes', { added, gone, same })}</p>
      {excepted > 0 && <p className={styles['muted']}>{pageText('excepted', { count: excepted })}</p>}
    </>
  );
}
