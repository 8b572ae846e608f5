import {
  type AccessRef,
  approvedTermsOf,
  type BlastRadiusRequest,
  compilePolicyTables,
  createDryRunEvaluator,
  createGainEvaluator,
  createScanEvaluator,
  expandAccess,
  type ReportEvaluator,
  type SodIndex,
  type SodPolicy,
} from '@access-admin/domain';
import type { ClaimedReport, ReportSource, ReportStore } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';

/** The evaluation of a report and the identities that it covers. */
export interface PreparedReport {
  readonly evaluator: ReportEvaluator;
  /** The report covers the identities that hold one of these; null for all identities. */
  readonly affectedRefs: readonly AccessRef[] | null;
  /** The ids of the policies whose approved exceptions the change would end. */
  readonly endedApprovals: ReadonlySet<string>;
}

/** A report that cannot be made; the message is for its reader. */
export interface Unpreparable {
  readonly message: string;
}

export interface PrepareDeps {
  readonly reports: Pick<ReportStore, 'readDryRun'>;
  readonly source: ReportSource;
  readonly index: SodIndex;
  readonly pause: Pause;
}

/** Reads what a report needs to evaluate identities. */
export async function prepareReport(deps: PrepareDeps, claim: ClaimedReport): Promise<PreparedReport | Unpreparable> {
  if (claim.kind === 'DRY_RUN') return { ...(await prepareDryRun(deps, claim)), affectedRefs: null };
  if (claim.blastRadius !== null) return prepareBlastRadius(deps, claim.blastRadius);
  return { evaluator: createScanEvaluator(deps.index), affectedRefs: null, endedApprovals: NO_POLICIES };
}

const NO_POLICIES: ReadonlySet<string> = new Set();

// A policy can take some KB.
const POLICIES_AT_ONCE = 50;

async function prepareDryRun(
  { reports, source, index, pause }: PrepareDeps,
  claim: ClaimedReport,
): Promise<Pick<PreparedReport, 'evaluator' | 'endedApprovals'>> {
  const after: SodPolicy[] = [];
  const touched: string[] = [];
  for await (const { add, change, remove } of reports.readDryRun(claim)) {
    for (const policy of [...add, ...change]) {
      after.push(policy);
      touched.push(policy.id);
    }
    touched.push(...remove);
    await pause();
  }
  const before: SodPolicy[] = [];
  for (let start = 0; start < touched.length; start += POLICIES_AT_ONCE) {
    before.push(...(await source.readPolicies(touched.slice(start, start + POLICIES_AT_ONCE))));
    await pause();
  }
  const evaluator = createDryRunEvaluator(compilePolicyTables(index.catalogue, { before, after }));
  return { evaluator, endedApprovals: await endedBy(before, after, pause) };
}

/** The policies to whose new form an approval that is bound to the present one does not apply. */
async function endedBy(
  before: readonly SodPolicy[],
  after: readonly SodPolicy[],
  pause: Pause,
): Promise<ReadonlySet<string>> {
  const terms = new Map(before.map((policy) => [policy.id, policy]));
  const ended = new Set<string>();
  for (const policy of after) {
    const present = terms.get(policy.id);
    if (present !== undefined && approvedTermsOf(present) !== approvedTermsOf(policy)) ended.add(policy.id);
    await pause();
  }
  return ended;
}

async function prepareBlastRadius(
  { source, index }: PrepareDeps,
  { kind, id, add }: BlastRadiusRequest,
): Promise<PreparedReport | Unpreparable> {
  const type = kind === 'role' ? 'ROLE' : 'ACCESS_PROFILE';
  const { entitlements } = expandAccess(index, add);
  const { unresolved } = expandAccess(index, [{ type, id }, ...add]);
  if (unresolved.length > 0) {
    const missing = unresolved.map((ref) => `${ref.type} ${ref.id}`).join(', ');
    return { message: `What the report is about does not exist any more: ${missing}.` };
  }
  const roles = kind === 'role' ? [] : await source.rolesWith(id);
  return {
    evaluator: createGainEvaluator(index, entitlements),
    endedApprovals: NO_POLICIES,
    affectedRefs: [{ type, id }, ...Array.from(roles, (role) => ({ type: 'ROLE' as const, id: role }))],
  };
}
