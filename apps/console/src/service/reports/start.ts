import type { AccessAdminClient, AccessRef, SodPolicyLevel } from '@access-admin/client';
import { keysOf } from '../keys-of.ts';
import type { Choice, Offered } from '../look-ups.ts';
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
    add: refsOf(added),
  });

/** The access among some choices. */
const refsOf = (choices: readonly Choice[]): readonly AccessRef[] =>
  choices.flatMap(({ type, id }) =>
    ACCESS_TYPES.filter((known) => known === type).map((known) => ({ type: known, id })),
  );

const ACCESS_TYPES: readonly AccessRef['type'][] = ['ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'];

/** What a fix plan is asked for. */
export interface PlannedFix {
  /** Only violations of these levels; of all without any. */
  readonly levels: readonly SodPolicyLevel[];
  /** Only violations of these policies; of all without any. */
  readonly policies: readonly Offered<'SOD_POLICY'>[];
  readonly keepHolders: number;
  /** The access that the plan must not revoke. */
  readonly protect: readonly Choice[];
}

/** How many holders of an entitlement a plan can keep. */
export const HOLDERS_KEPT = Array.from({ length: 11 }, (_, count) => count);

/** All violations; the last holder of each entitlement keeps it. */
export const WHOLE_FIX: PlannedFix = { levels: [], policies: [], keepHolders: 1, protect: [] };

/** Starts a plan of the fewest revocations that end violations. */
export const startFixPlan = (
  { sodReports }: Pick<AccessAdminClient, 'sodReports'>,
  { levels, policies, keepHolders, protect }: PlannedFix,
) =>
  sodReports.fixPlan({
    ...(levels.length > 0 && { levels }),
    ...(policies.length > 0 && { policyIds: policies.map(({ id }) => id) }),
    keepHolders,
    ...(protect.length > 0 && { protect: refsOf(protect) }),
  });
