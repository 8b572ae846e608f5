import {
  type AccessRef,
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
import type { ClaimedReport, ReportSource, SodReportStore } from '@access-admin/store';

/** What a report asks of whom. */
export interface PreparedReport {
  readonly judge: ReportEvaluator;
  /** It is about whoever holds one of these; about everybody where that is null. */
  readonly concerned: readonly AccessRef[] | null;
}

/** A report that cannot be made, for its reader to learn why. */
export interface Unpreparable {
  readonly message: string;
}

export interface PrepareDeps {
  readonly reports: Pick<SodReportStore, 'readDryRun'>;
  readonly source: ReportSource;
  readonly index: SodIndex;
}

/** Gathers what a report needs to judge identities, in steps. */
export async function* prepareReport(
  deps: PrepareDeps,
  claim: ClaimedReport,
): AsyncGenerator<void, PreparedReport | Unpreparable> {
  if (claim.kind === 'DRY_RUN') return { judge: yield* prepareDryRun(deps, claim), concerned: null };
  if (claim.blastRadius !== null) return prepareBlastRadius(deps, claim.blastRadius);
  return { judge: createScanEvaluator(deps.index), concerned: null };
}

// A policy can have some KB.
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
  const { unknown } = expandAccess(index, [{ type, id }, ...add]);
  if (unknown.length > 0) {
    const gone = unknown.map((ref) => `${ref.type} ${ref.id}`).join(', ');
    return { message: `What the report is about does not exist any more: ${gone}.` };
  }
  const roles = kind === 'role' ? [] : await source.rolesWith(id);
  return {
    judge: createGainEvaluator(index, entitlements),
    concerned: [{ type, id }, ...Array.from(roles, (role) => ({ type: 'ROLE' as const, id: role }))],
  };
}
