import { REPORTS_KEPT_MAX, type SodIndex } from '@access-admin/domain';
import type { ClaimedReport, ReportSource, ReportTotals } from '@access-admin/store';
import { LeaseLost } from '../leased/pause.ts';
import { REPORT_TOO_MANY_EXCEPTIONS } from './bounds.ts';
import { evaluateShard } from './evaluate-shard.ts';
import { loadExceptions } from './exceptions.ts';
import { makeFixPlan } from './fix-plan.ts';
import { openCurrent, waitForPopulation } from './open-current.ts';
import type { Population } from './population.ts';
import { type PreparedReport, prepareReport, type Unpreparable } from './prepare.ts';
import { shardSize } from './shard.ts';
import type { ReportTask, RunReportDeps } from './task.ts';
import { createViolationWriter, type ViolationWriter } from './write-violations.ts';

/**
 * Makes a report as of one instant and stores it, with pauses, while its lease is renewed. Throws `LeaseLost` when another worker
 * has taken the report. Returns `error` for a report that has ended without a summary.
 */
export async function runReport(deps: RunReportDeps, task: ReportTask): Promise<'success' | 'error'> {
  const { claim, lease, pause } = task;
  const { tenant } = claim;
  // The register of the tenant may use it. Its rounds may take long, so no snapshot is open meanwhile.
  for (; deps.populations.isOpen(tenant); await pause()) await waitForPopulation(deps);
  using population = deps.populations.open(tenant);
  const {
    source: opened,
    index,
    policySetVersion,
    asOf,
  } = await openCurrent(deps, tenant, {
    look: () => deps.reports.readVersion(tenant),
    open: () => deps.reports.openSource(tenant),
  });
  await using source = opened;
  await pause();
  lease.basis = { policySetVersion, asOf };
  orLost(await lease.renew());
  while (claim.fence > 1 && (await deps.reports.removeResults(claim))) await pause();
  const { fixPlan } = claim;
  const basis = { source, index, asOf, population };
  const made = await (fixPlan === null
    ? makeReport(deps, task, basis)
    : makeFixPlan(deps, task, { ...basis, fixPlan }));
  if ('message' in made) {
    orLost(await fail(deps, claim, made.message));
    return 'error';
  }
  const completed = new Date(deps.now()).toISOString();
  const result = 'revocations' in made ? { totals: null, fixPlan: made } : { totals: made };
  const completion = { state: 'SUCCESS', completed, message: null, ...result } as const;
  orLost(await deps.reports.complete(claim, completion, REPORTS_KEPT_MAX));
  return 'success';
}

function orLost(isHeld: boolean): void {
  if (!isHeld) throw new LeaseLost();
}

interface Basis {
  readonly source: ReportSource;
  readonly index: SodIndex;
  readonly asOf: string;
  readonly population: Population;
}

/** Stores the violations of a report and returns its totals. */
async function makeReport(
  deps: RunReportDeps,
  task: ReportTask,
  { source, index, asOf, population }: Basis,
): Promise<ReportTotals | Unpreparable> {
  const { claim, lease, pause } = task;
  const prepared = await prepareReport({ reports: deps.reports, source, index, pause }, claim);
  if ('message' in prepared) return prepared;
  await population.refresh(source, pause);
  const exceptions = await loadExceptions(source, prepared.evaluator, { instant: claim.at ?? asOf, pause });
  if (exceptions === null) return { message: REPORT_TOO_MANY_EXCEPTIONS };
  // An open snapshot keeps the database from truncating its log, so it is closed as early as possible.
  if (population.size() !== null) await source[Symbol.asyncDispose]();
  const { reports, now, leaseMs } = deps;
  const writer = createViolationWriter(async (violations) => {
    orLost(await reports.saveViolations(claim, violations, now() + leaseMs));
    await pause();
  });
  const data = { catalogue: index.catalogue, population, nowMs: Date.parse(asOf), at: claim.at, exceptions };
  const identitiesMax = population.size() ?? (await source.countIdentities());
  const pauseAndSave = () => (writer.isFull() ? writer.flush() : pause());
  let passed = 0;
  let identities = 0;
  for (let number = 0; number < population.shardCount; number++) {
    const shard = await population.open(number, source, pause);
    identities += await evaluateShard({ shard, prepared, data, emit: writer.add, pause: pauseAndSave });
    passed += shardSize(shard);
    lease.progress = Math.min(1, passed / Math.max(1, identitiesMax));
  }
  await source[Symbol.asyncDispose]();
  await writer.flush();
  await savePolicies(deps, task, { prepared, writer });
  return { identities, ...writer.totals() };
}

/** Ends a report without a summary; `message` says why, for its reader. */
export function fail({ reports, now }: Pick<RunReportDeps, 'reports' | 'now'>, claim: ClaimedReport, message: string) {
  const completed = new Date(now()).toISOString();
  return reports.complete(claim, { state: 'ERROR', completed, totals: null, message }, REPORTS_KEPT_MAX);
}

const POLICIES_AT_ONCE = 500;

async function savePolicies(
  { reports, now, leaseMs }: RunReportDeps,
  { claim, pause }: ReportTask,
  { prepared: { evaluator }, writer }: { readonly prepared: PreparedReport; readonly writer: ViolationWriter },
): Promise<void> {
  const counted = [...writer.counts];
  for (let from = 0; from < counted.length; from += POLICIES_AT_ONCE) {
    const policies = counted
      .slice(from, from + POLICIES_AT_ONCE)
      .map(([number, counts]) => ({ ...evaluator.policyAt(number), ...counts, number }));
    orLost(await reports.savePolicies(claim, policies, now() + leaseMs));
    await pause();
  }
}
