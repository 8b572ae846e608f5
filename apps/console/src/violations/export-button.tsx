import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { filtersOf, type ViolationSearch } from '../service/violation-search.ts';
import { SaveButton } from '../ui/save-button.tsx';
import { VIOLATIONS_TEXTS } from './texts.ts';

/** Saves the violations of a search as a file. */
export function ExportButton({ search }: { readonly search: ViolationSearch }) {
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const { violations } = useApi();
  return (
    <SaveButton
      label={pageText('export')}
      failed={pageText('export.failed')}
      fileName="violations.csv"
      type="text/csv"
      write={(signal) => violations.exportCsv({ filters: filtersOf(search), signal })}
    />
  );
}
