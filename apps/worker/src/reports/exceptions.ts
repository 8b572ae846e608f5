import {
  type ApprovedException,
  type CoveringException,
  coveringOf,
  type Interval,
  REPORT_EXCEPTIONS_MAX,
  type SodReportChange,
} from '@access-admin/domain';
import type { ReportSource } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { PreparedReport } from './prepare.ts';

/** The exceptions from one policy that may cover violations of a report. */
export interface PolicyExceptions {
  /** The one that covers a violation, whose intervals are computed only where an identity has an exception. */
  coveringException(
    change: SodReportChange,
    identityId: string,
    intervals: () => readonly Interval[],
  ): CoveringException | null;
}

/** The exceptions that may cover violations of a report, by number of the policy; nothing for all other policies. */
export type ReportExceptions = ReadonlyMap<number, PolicyExceptions>;

type ByIdentity = Map<string, ApprovedException[]>;

/**
 * Loads the approved exceptions that end after an instant. What a report says to be new is not covered: an
 * approval is bound to the conflict that the approver saw. For the same reason a violation that stays is not covered if the
 * change would end the approval. Null when there are more than `REPORT_EXCEPTIONS_MAX`.
 */
export async function loadExceptions(
  source: Pick<ReportSource, 'approvedExceptions'>,
  { evaluator, endedApprovals }: Pick<PreparedReport, 'evaluator' | 'endedApprovals'>,
  { instant, pause }: { readonly instant: string; readonly pause: Pause },
): Promise<ReportExceptions | null> {
  const found = new Map<number, PolicyExceptions>();
  if (evaluator.isNewOnly) return found;
  const byPolicy = new Map<string, ByIdentity>();
  let count = 0;
  for await (const page of source.approvedExceptions(instant)) {
    count += page.length;
    if (count > REPORT_EXCEPTIONS_MAX) return null;
    for (const { identityId, ...exception } of page) {
      const own = byPolicy.get(exception.policyId) ?? new Map<string, ApprovedException[]>();
      byPolicy.set(exception.policyId, own);
      own.set(identityId, [...(own.get(identityId) ?? []), exception]);
    }
    await pause();
  }
  if (byPolicy.size === 0) return found;
  for (const policy of evaluator.policies) {
    const policyId = evaluator.policyIdAt(policy);
    const own = byPolicy.get(policyId);
    if (own !== undefined) found.set(policy, exceptionsOf(own, endedApprovals.has(policyId)));
  }
  return found;
}

const exceptionsOf = (byIdentity: ByIdentity, isEnded: boolean): PolicyExceptions => ({
  coveringException: (change, identityId, intervals) => {
    if (change === 'new' || (change === 'same' && isEnded)) return null;
    const exceptions = byIdentity.get(identityId);
    return exceptions === undefined ? null : (coveringOf(exceptions, intervals()) ?? null);
  },
});
