import {
  type AccessRef,
  type BlastRadiusRequest,
  compilePolicyTables,
  createDryRunEvaluator,
  createGainEvaluator,
  createScanEvaluator,
  type EvaluatedPolicy,
  expandAccess,
  type ReportEvaluator,
  type SodIndex,
  type SodPolicy,
} from '@access-admin/domain';
import { type ClaimedReport, digestOfTerms, type ReportSource, type ReportStore } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';

/** The evaluation of a report and the identities that it covers. */
export interface PreparedReport {
  readonly evaluator: ReportEvaluator;
  /** The report covers the identities that hold one of these; null for all identities. */
  readonly affectedRefs: readonly AccessRef[] | null;
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
  if (claim.kind === 'DRY_RUN') return { evaluator: await prepareDryRun(deps, claim), affectedRefs: null };
  if (claim.blastRadius !== null) return prepareBlastRadius(deps, claim.blastRadius);
  return { evaluator: createScanEvaluator(deps.index), affectedRefs: null };
}

// A policy can take some KB.
const POLICIES_AT_ONCE = 50;

async function prepareDryRun(
  { reports, source, index, pause }: PrepareDeps,
  claim: ClaimedReport,
): Promise<ReportEvaluator> {
  const given: SodPolicy[] = [];
  const touched: string[] = [];
  for await (const { add, change, remove } of reports.readDryRun(claim)) {
    for (const policy of [...add, ...change]) {
      given.push(policy);
      touched.push(policy.id);
    }
    touched.push(...remove);
    await pause();
  }
  const before = new Map<string, SodPolicy & EvaluatedPolicy>();
  for (let start = 0; start < touched.length; start += POLICIES_AT_ONCE) {
    for (const policy of await source.readPolicies(touched.slice(start, start + POLICIES_AT_ONCE)))
      before.set(policy.id, policy);
    await pause();
  }
  const after: EvaluatedPolicy[] = [];
  for (const policy of given) {
    // A change of a policy is no new creation of it.
    const { created } = before.get(policy.id) ?? policy;
    after.push({ ...policy, terms: digestOfTerms({ ...policy, created }) });
    await pause();
  }
  return createDryRunEvaluator(compilePolicyTables(index.catalogue, { before: [...before.values()], after }));
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
    affectedRefs: [{ type, id }, ...Array.from(roles, (role) => ({ type: 'ROLE' as const, id: role }))],
  };
}
