import type { SodPolicyLevel, SodReportChange, SodReportKind, SodReportState } from '@access-admin/client';
import { LEVELS } from '../policy/terms.ts';
import { pick, textOf } from '../search-parts.ts';

export const REPORT_KINDS: readonly SodReportKind[] = ['SCAN', 'DRY_RUN', 'BLAST_RADIUS', 'FIX_PLAN'];
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

/** The changes that a line of a report can be, in the order in which they matter. */
export const REPORT_CHANGES: readonly SodReportChange[] = ['new', 'gone', 'same'];
/** Whether an exception covers a violation. */
export const COVERS = ['yes', 'no'] as const;

/** Which violations of a report are shown, as the address says it: all if left out. */
export interface ReportSearch {
  readonly change?: SodReportChange;
  readonly level?: SodPolicyLevel;
  readonly covered?: (typeof COVERS)[number];
  /** The id of a policy. */
  readonly policy?: string;
  /** The id of a person. */
  readonly person?: string;
  /** The id of an earlier report: what is different from it is shown instead. */
  readonly since?: string;
  /** The step of a fix plan that is shown in full. */
  readonly step?: number;
}

/** The search of an address; parts that are not understood are left out. */
export function parseReportSearch(given: Readonly<Record<string, unknown>>): ReportSearch {
  const { change, level, covered, policy, person, since, step } = given;
  return {
    ...pick('change', REPORT_CHANGES, change),
    ...pick('level', LEVELS, level),
    ...pick('covered', COVERS, covered),
    ...textOf('policy', policy),
    ...textOf('person', person),
    ...textOf('since', since),
    ...(typeof step === 'number' && { step }),
  };
}
