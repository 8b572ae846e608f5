import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { isUnderWay, type ReportHead } from '../../service/reports/list.ts';
import { Mark } from '../../ui/mark.tsx';
import { Progress } from '../../ui/progress.tsx';
import { OUTCOME_TEXTS } from './texts.ts';

/** How far a report is while it is under way, and how it has ended. */
export function State({ report }: { readonly report: ReportHead }) {
  const pageText = usePageTexts(OUTCOME_TEXTS);
  const { locale } = useSpeech();
  const { state, progress } = report;
  if (!isUnderWay(report)) return state === 'ERROR' ? <Mark tone="critical">{pageText(state)}</Mark> : pageText(state);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(progress);
  return state === 'PENDING' ? (
    <Progress label={pageText('waiting')} value={null} />
  ) : (
    <Progress label={`${pageText('RUNNING')}, ${percent}`} value={progress} />
  );
}
