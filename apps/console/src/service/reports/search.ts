import type { SodReportKind, SodReportState } from '@access-admin/client';
import { pick, textOf } from '../search-parts.ts';

export const REPORT_KINDS: readonly SodReportKind[] = ['SCAN', 'DRY_RUN', 'BLAST_RADIUS'];
/** The states of reports, and all those together that have not ended. */
export const STATE_CHOICES: readonly (SodReportState | 'UNDER_WAY')[] = [
  ...(['UNDER_WAY', 'PENDING', 'RUNNING', 'SUCCESS', 'ERROR'] as const),
];

/** Which reports the list shows, as its address says it: those of any kind and state if left out. */
export interface ReportsSearch {
  readonly kind?: SodReportKind;
  readonly state?: SodReportState | 'UNDER_WAY';
  /** The id of the check that is shown. */
  readonly check?: string;
}

/** The search of an address; parts that are not understood are left out. */
export const parseReportsSearch = ({ kind, state, check }: Readonly<Record<string, unknown>>): ReportsSearch => ({
  ...pick('kind', REPORT_KINDS, kind),
  ...pick('state', STATE_CHOICES, state),
  ...textOf('check', check),
});
