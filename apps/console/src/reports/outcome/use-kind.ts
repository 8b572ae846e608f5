import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import type { ReportHead } from '../../service/reports/list.ts';
import { OUTCOME_TEXTS } from './texts.ts';

/** Names the kind of a report, with the only instant that a scan is of. */
export function useKind(): (report: Pick<ReportHead, 'kind' | 'at'>) => string {
  const pageText = usePageTexts(OUTCOME_TEXTS);
  const { moment } = useSpeech();
  return ({ kind, at }) => (at === undefined ? pageText(kind) : pageText('SCAN.at', { time: moment(at) }));
}
