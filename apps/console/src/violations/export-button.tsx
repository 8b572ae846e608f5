import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { Failure } from '../parts/failure.tsx';
import { useApi } from '../service/api.tsx';
import { filtersOf, type ViolationSearch } from '../service/violation-search.ts';
import { VIOLATIONS_TEXTS } from './texts.ts';

/** Saves the violations of a search as a file. */
export function ExportButton({ search }: { readonly search: ViolationSearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const { violations } = useApi();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error: unknown }>(IDLE);
  const save = async () => {
    setState({ isBusy: true, error: null });
    try {
      const pieces = await Array.fromAsync(violations.exportCsv({ filters: filtersOf(search) }));
      offer(new Blob(pieces, { type: 'text/csv' }));
      setState(IDLE);
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <>
      <button type="button" className={button['button']} disabled={state.isBusy} onClick={save}>
        {state.isBusy ? text('state.loading') : pageText('export')}
      </button>
      {state.error !== null && <Failure error={state.error} title={pageText('export.failed')} onRetry={save} />}
    </>
  );
}

const IDLE = { isBusy: false, error: null };

/** Lets the browser save a file. */
function offer(content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = 'violations.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
