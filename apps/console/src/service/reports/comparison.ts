import type { AccessAdminClient } from '@access-admin/client';
import { compareReports, type Difference } from './difference.ts';
import { readPages } from './lines.ts';

/** What is shown of a comparison of two reports while it lasts, and at its end. */
export type Comparison =
  | { readonly state: 'running'; readonly lines: number; readonly total: number }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'done'; readonly difference: Difference };

export interface ComparedReports {
  readonly earlierId: string;
  readonly laterId: string;
}

/** Compares two reports that have ended, and tells what happens. It never rejects. */
export async function compareById(
  api: Pick<AccessAdminClient, 'sodReports'>,
  { earlierId, laterId }: ComparedReports,
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: (comparison: Comparison) => void },
): Promise<void> {
  const tell = (comparison: Comparison) => {
    if (!signal.aborted) onChange(comparison);
  };
  try {
    tell({ state: 'running', lines: 0, total: 0 });
    const reports = await Promise.all([earlierId, laterId].map((id) => api.sodReports.get(id, { signal })));
    const total = reports.reduce(
      (sum, { summary }) => sum + (summary !== null && 'new' in summary ? linesOf(summary) : 0),
      0,
    );
    const read = (id: string) => readPages(api, id, { search: {}, signal });
    const difference = await compareReports({
      earlier: read(earlierId),
      later: read(laterId),
      onRead: (lines) => tell({ state: 'running', lines, total }),
    });
    tell({ state: 'done', difference });
  } catch (error) {
    tell({ state: 'failed', error });
  }
  if (signal.aborted) onChange({ state: 'stopped' });
}

const linesOf = (counts: Difference['counts']): number => counts.new + counts.same + counts.gone;
