import type { AccessAdminClient, AccessRef } from '@access-admin/client';
import { keysOf } from '../keys-of.ts';
import type { Choice } from '../look-ups.ts';
import { draftOf, policyOf } from '../policy/draft.ts';

/** What a dry-run supposes of policies. */
export const SUPPOSITIONS = ['remove', 'enforce'] as const;

export type Supposition = (typeof SUPPOSITIONS)[number];

/** Starts a report of what would be different if policies were removed, or were enforced as they are. */
export async function startDryRun(
  { sodPolicies, sodReports }: Pick<AccessAdminClient, 'sodPolicies' | 'sodReports'>,
  ids: readonly string[],
  supposition: Supposition,
) {
  if (supposition === 'remove') return sodReports.dryRun({ remove: ids });
  const policies = await Promise.all(ids.map((id) => sodPolicies.get(id)));
  return sodReports.dryRun({
    change: policies.map((policy) => ({
      ...policyOf({ ...draftOf(policy), state: 'ENFORCED' }, policy),
      id: policy.id,
    })),
  });
}

/** What a role, or an access profile, can have in it. */
const CONTAINED = {
  ROLE: ['ACCESS_PROFILE', 'ENTITLEMENT'],
  ACCESS_PROFILE: ['ENTITLEMENT'],
} as const satisfies Partial<Record<Choice['type'], readonly AccessRef['type'][]>>;

/** The kinds of access that can gain other access. */
export const GAINING: readonly (keyof typeof CONTAINED)[] = keysOf(CONTAINED);

/** The kinds of access that something could gain; none for what cannot gain any, all while nothing is chosen. */
export function gainableBy(of: Pick<Choice, 'type'> | null): readonly Choice['type'][] {
  const type = of === null ? 'ROLE' : GAINING.find((each) => each === of.type);
  return type === undefined ? [] : CONTAINED[type];
}

/** Starts a report of the violations that would be new if a role or an access profile gained access. */
export const startBlastRadius = (
  { sodReports }: Pick<AccessAdminClient, 'sodReports'>,
  { type, id }: Choice,
  added: readonly Choice[],
) =>
  sodReports.blastRadius({
    kind: type === 'ROLE' ? 'role' : 'accessProfile',
    id,
    add: added.flatMap((each) =>
      ALL_ACCESS.filter((known) => known === each.type).map((known) => ({ type: known, id: each.id })),
    ),
  });

const ALL_ACCESS: readonly AccessRef['type'][] = CONTAINED.ROLE;
