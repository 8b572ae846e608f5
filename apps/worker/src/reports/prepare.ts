import {
  type AccessRef,
  type BlastRadiusRequest,
  compilePolicyTables,
  createDryRunEvaluator,
  createGainEvaluator,
  createScanEvaluator,
  expandAccess,
  type ReportEvaluator,
  type SodCatalogue,
  type SodIndex,
  type SodPolicy,
} from '@access-admin/domain';
import type { ClaimedReport, ReportSource, SodReportStore } from '@access-admin/store';
import type { Population } from './population.ts';

/** The evaluation of a report and the identities that it covers. */
export interface PreparedReport {
  readonly evaluator: ReportEvaluator;
  /** The report covers the identities that hold one of these; null for all identities. */
  readonly affectedRefs: readonly AccessRef[] | null;
}

/** The data that a report evaluates. */
export interface ReportData {
  readonly catalogue: SodCatalogue;
  readonly population: Population;
  /** The time of the data, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** A report that cannot be made; the message is for its reader. */
export interface Unpreparable {
  readonly message: string;
}

export interface PrepareDeps {
  readonly reports: Pick<SodReportStore, 'readDryRun'>;
  readonly source: ReportSource;
  readonly index: SodIndex;
}

/** Reads what a report needs to evaluate identities, in steps. */
export async function* prepareReport(
  deps: PrepareDeps,
  claim: ClaimedReport,
): AsyncGenerator<void, PreparedReport | Unpreparable> {
  if (claim.kind === 'DRY_RUN') return { evaluator: yield* prepareDryRun(deps, claim), affectedRefs: null };
  if (claim.blastRadius !== null) return prepareBlastRadius(deps, claim.blastRadius);
  return { evaluator: createScanEvaluator(deps.index), affectedRefs: null };
}

// A policy can take some KB.
const POLICIES_AT_ONCE = 50;

async function* prepareDryRun(
  { reports, source, index }: PrepareDeps,
  claim: ClaimedReport,
): AsyncGenerator<void, ReportEvaluator> {
  const after: SodPolicy[] = [];
  const touched: string[] = [];
  for await (const { add, change, remove } of reports.readDryRun(claim)) {
    for (const policy of [...add, ...change]) {
      after.push(policy);
      touched.push(policy.id);
    }
    touched.push(...remove);
    yield;
  }
  const before: SodPolicy[] = [];
  for (let start = 0; start < touched.length; start += POLICIES_AT_ONCE) {
    before.push(...(await source.readPolicies(touched.slice(start, start + POLICIES_AT_ONCE))));
    yield;
  }
  return createDryRunEvaluator(yield* compilePolicyTables(index.catalogue, { before, after }));
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
