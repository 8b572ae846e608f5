import type {
  AccessAdminClient,
  SodPolicy,
  SodReportChange,
  SodReportSummary,
  SodReportViolation,
} from '@access-admin/client';
import { type PolicyDraft, policyOf } from './draft.ts';

/** The most people of each kind that a page lists. */
const LISTED_MAX = 100;

export const CHANGES: readonly SodReportChange[] = ['new', 'gone', 'same'];

/** What a draft would change. */
export interface Trial {
  readonly counts: Pick<SodReportSummary, 'identities' | SodReportChange>;
  /** The people concerned, the first of each kind. */
  readonly people: Readonly<Record<SodReportChange, readonly SodReportViolation[]>>;
  /** Whether the draft was tried as if it were enforced, as neither it nor the present policy is. */
  readonly isSupposed: boolean;
}

/** Asks which people a draft would affect. Nothing is saved. */
export async function tryDraft(
  { sodReports }: Pick<AccessAdminClient, 'sodReports'>,
  { draft, before }: { readonly draft: PolicyDraft; readonly before: SodPolicy | null },
  signal: AbortSignal,
): Promise<Trial> {
  const isSupposed = draft.state === 'NOT_ENFORCED' && before?.state !== 'ENFORCED';
  const policy = policyOf(isSupposed ? { ...draft, state: 'ENFORCED' } : draft, before);
  const changes = before === null ? { add: [policy] } : { change: [{ ...policy, id: before.id }] };
  const { reportId } = await sodReports.dryRun(changes, { signal });
  const report = await sodReports.waitFor(reportId, { signal });
  if (report.state === 'ERROR') throw new Error(report.message);
  const { summary } = report;
  if (!('byPolicy' in summary)) throw new Error('A dry-run has counts by policy.');
  const list = async (change: SodReportChange) => {
    const listed: SodReportViolation[] = [];
    if (summary[change] === 0) return listed;
    for await (const violation of sodReports.violations(reportId, { change, signal }))
      if (listed.push(violation) === LISTED_MAX) break;
    return listed;
  };
  const people = { new: await list('new'), gone: await list('gone'), same: await list('same') };
  return { counts: summary, people, isSupposed };
}

/** The items of a violation, side by side. */
export function itemsOf({
  conflictingAccessCriteria: held,
}: Pick<SodReportViolation, 'conflictingAccessCriteria'>): readonly (readonly string[])[] {
  const sides = 'criteria' in held ? held.criteria : [held.leftCriteria, held.rightCriteria];
  return sides.map(({ criteriaList }) => criteriaList.map(({ name }) => name));
}
