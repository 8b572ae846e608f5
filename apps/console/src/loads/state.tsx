import type { SourceLoad } from '@access-admin/client';
import { usePageTexts } from '../languages/context.tsx';
import { isToConfirm } from '../service/sources/loads.ts';
import { Mark } from '../ui/mark.tsx';
import { LOADS_TEXTS } from './texts.ts';

/** How a load stands: a mark where it has not gone as it should, or waits for somebody. */
export function State({ load }: { readonly load: SourceLoad }) {
  const pageText = usePageTexts(LOADS_TEXTS);
  const { state } = load;
  if (isToConfirm(load)) return <Mark tone="critical">{pageText('waits')}</Mark>;
  if (state === 'SUCCESS') return pageText(state);
  return <Mark tone={state === 'REFUSED' || state === 'ERROR' ? 'critical' : 'plain'}>{pageText(state)}</Mark>;
}

/** What kind of load it is, in words. */
export function useKind(): (load: Pick<SourceLoad, 'mode' | 'dryRun'>) => string {
  const pageText = usePageTexts(LOADS_TEXTS);
  return ({ mode, dryRun }) => (dryRun ? `${pageText(mode)}, ${pageText('dry')}` : pageText(mode));
}

/** What became of the accounts of a load, in a line; empty where there is nothing to tell yet. */
export function useOutcome(): (load: Pick<SourceLoad, 'state' | 'deletes' | 'summary'>) => string {
  const pageText = usePageTexts(LOADS_TEXTS);
  return ({ state, deletes, summary }) => {
    if (deletes !== null) return pageText('losses', { count: deletes });
    if (summary === null) return '';
    if (summary.faultCount > 0) return pageText('faults', { count: summary.faultCount });
    const parts = (['created', 'updated', 'deleted'] as const).flatMap((change) => {
      const count = summary.accounts[change];
      return count === 0 ? [] : [pageText(change, { count })];
    });
    return parts.length === 0 && state === 'SUCCESS' ? pageText('nothing') : parts.join(', ');
  };
}
