import { REPORT_EXCEPTIONS_MAX } from '@access-admin/contract';
import {
  type ApprovedOnConflict,
  type CoveringException,
  coveringOf,
  type HeldMoments,
  placeOfItem,
  type ReportEvaluator,
  type ReportLine,
} from '@access-admin/domain';
import type { ReportSource } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';

/** The exceptions from one policy that may cover violations of a report. */
export interface PolicyExceptions {
  /** The one that covers a violation. Its moments are computed only where the identity has an exception. */
  coveringException(
    violation: Pick<ReportLine, 'change' | 'identityId' | 'items'>,
    momentsOf: (items: readonly string[]) => Omit<HeldMoments, 'terms'>,
  ): CoveringException | null;
}

/** The exceptions that may cover violations of a report, by number of the policy; nothing for all other policies. */
export type ReportExceptions = ReadonlyMap<number, PolicyExceptions>;

type ByIdentity = Map<string, ApprovedOnConflict[]>;

/**
 * Loads the approved exceptions that end after an instant. What a report says to be new is not covered: an
 * approval is bound to the conflict that the approver saw. For the same reason a violation that stays is not covered if the
 * change would end the approval. Null when there are more than `REPORT_EXCEPTIONS_MAX`.
 */
export async function loadExceptions(
  source: Pick<ReportSource, 'approvedExceptions'>,
  evaluator: ReportEvaluator,
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
      const own = byPolicy.get(exception.policyId) ?? new Map<string, ApprovedOnConflict[]>();
      byPolicy.set(exception.policyId, own);
      own.set(identityId, [...(own.get(identityId) ?? []), exception]);
    }
    await pause();
  }
  if (byPolicy.size === 0) return found;
  for (const policy of evaluator.policies) {
    const own = byPolicy.get(evaluator.policyIdAt(policy));
    if (own !== undefined) found.set(policy, exceptionsOf(own, policyBefore(evaluator, policy)));
  }
  return found;
}

/** A policy before the change. */
interface PolicyBefore {
  readonly terms: string | null;
  /** Whether the change would end its approvals. */
  readonly hasOtherTerms: boolean;
  /** The ids of its items, by their places among those of all sides. */
  readonly itemIds: readonly string[];
}

const exceptionsOf = (byIdentity: ByIdentity, { terms, hasOtherTerms, itemIds }: PolicyBefore): PolicyExceptions => ({
  coveringException: ({ change, identityId, items }, momentsOf) => {
    if (terms === null || change === 'new' || (change === 'same' && hasOtherTerms)) return null;
    const exceptions = byIdentity.get(identityId);
    if (exceptions === undefined) return null;
    const moments = momentsOf(items.map((item) => itemIds[placeOfItem(item)] ?? ''));
    return coveringOf(exceptions, { ...moments, terms }) ?? null;
  },
});

function policyBefore(evaluator: ReportEvaluator, policy: number): PolicyBefore {
  const { before: terms, after } = evaluator.termsOf(policy);
  const sides = evaluator.policyAt(policy).before?.sides ?? [];
  return { terms, hasOtherTerms: terms !== after, itemIds: sides.flatMap(({ items }) => items.map(([id]) => id)) };
}
