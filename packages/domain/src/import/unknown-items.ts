import type { PolicyFinding } from '../governance/lint/finding.ts';
import type { LintFocus } from '../sod/index.ts';
import type { ImportWarning, UnknownItem } from './records.ts';

/** The warning about an item of a given policy that the catalogue lacks. */
export const unknownItem = (policyId: string, id: string): UnknownItem => ({
  code: 'UNKNOWN_ITEM',
  severity: 'WARNING',
  policyId,
  ref: { type: 'ENTITLEMENT', id },
  related: [],
  text: `Policy ${policyId} names entitlement ${id}, which does not exist: the item cannot match until the entitlement exists.`,
});

/**
 * Findings of lint as an import tells them. Lint cannot know whether a missing item has ever existed; an import can tell those
 * that it deletes from those that it only names.
 */
export const tellUnknownItems = (
  findings: readonly PolicyFinding[],
  { deletedEntitlements }: Pick<LintFocus, 'deletedEntitlements'>,
): readonly ImportWarning[] =>
  findings.map((finding) =>
    finding.code === 'DELETED_ITEM' && finding.ref !== null && !deletedEntitlements.has(finding.ref.id)
      ? unknownItem(finding.policyId, finding.ref.id)
      : finding,
  );
