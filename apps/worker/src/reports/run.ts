import { REPORTS_KEPT_MAX, type SodIndex, type SodReportCounts } from '@access-admin/domain';
import type {
  ClaimedReport,
  ReportBlock,
  ReportSource,
  ReportStore,
  ReportTotals,
  SodReader,
} from '@access-admin/store';
import { REPORT_TOO_MANY_EXCEPTIONS, REPORT_TOO_MANY_VIOLATIONS } from '../claims/bounds.ts';
import { LeaseLost, type Pause } from '../leased/pause.ts';
import { evaluateShard } from './evaluate-shard.ts';
import { loadExceptions } from './exceptions.ts';
import { createViolationGatherer, type ViolationGatherer } from './gather-violations.ts';
import type { LeaseDeps, ReportLease } from './lease.ts';
import { openCurrent, waitForPopulation } from './open-current.ts';
import type { Population, Populations } from './population.ts';
import { type PreparedReport, prepareReport, type Unpreparable } from './prepare.ts';
import { shardSize } from './shard.ts';

export interface RunReportDeps extends LeaseDeps {
  readonly reports: ReportStore;
  readonly reader: SodReader;
  readonly populations: Populations;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** The number of reports that share the memory for violations. */
  reportsUnderWay(): number;
}

/** A report under way. */
export interface ReportTask {
  readonly claim: ClaimedReport;
  readonly lease: ReportLease;
  readonly pause: Pause;
}

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
  const made = await makeReport(deps, task, { source, index, asOf, population });
  if ('message' in made) {
    orLost(await fail(deps, claim, made.message));
    return 'error';
  }
  const completed = new Date(deps.now()).toISOString();
  const completion = { state: 'SUCCESS', completed, totals: made, message: null } as const;
  orLost(await deps.reports.complete(claim, completion, REPORTS_KEPT_MAX));
  while (claim.attempts > 1 && (await deps.reports.removeLeftovers(claim))) await pause();
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
  const exceptions = await loadExceptions(source, prepared, { instant: claim.at ?? asOf, pause });
  if (exceptions === null) return { message: REPORT_TOO_MANY_EXCEPTIONS };
  // An open snapshot keeps the database from truncating its log, so it is closed as early as possible.
  if (population.size() !== null) await source[Symbol.asyncDispose]();
  const gatherer = createViolationGatherer(deps.reportsUnderWay);
  const data = { catalogue: index.catalogue, population, nowMs: Date.parse(asOf), at: claim.at, exceptions };
  const identitiesMax = population.size() ?? (await source.countIdentities());
  const pauseAndSave = () => (gatherer.isFull() ? saveBlocks(deps, task, gatherer) : pause());
  let passed = 0;
  let identities = 0;
  for (let number = 0; number < population.shardCount; number++) {
    const shard = await population.open(number, source, pause);
    const evaluated = await evaluateShard({ shard, prepared, data, gatherer, pause: pauseAndSave });
    if (evaluated === 'tooLarge') return { message: REPORT_TOO_MANY_VIOLATIONS };
    identities += evaluated;
    passed += shardSize(shard);
    lease.progress = Math.min(1, passed / Math.max(1, identitiesMax));
  }
  await source[Symbol.asyncDispose]();
  await saveBlocks(deps, task, gatherer);
  await savePolicies(deps, task, { prepared, gatherer });
  return { identities, ...gatherer.totals() };
}

/** Ends a report without a summary; `message` says why, for its reader. */
export function fail({ reports, now }: Pick<RunReportDeps, 'reports' | 'now'>, claim: ClaimedReport, message: string) {
  const completed = new Date(now()).toISOString();
  return reports.complete(claim, { state: 'ERROR', completed, totals: null, message }, REPORTS_KEPT_MAX);
}

// Limits of one write, so that other writers do not wait long.
const BLOCKS_AT_ONCE = 1_000;
const CHARACTERS_AT_ONCE = 1024 * 1024;
const POLICIES_AT_ONCE = 500;

async function saveBlocks(
  { reports, now, leaseMs }: RunReportDeps,
  { claim, pause }: ReportTask,
  gatherer: ViolationGatherer,
): Promise<void> {
  let batch: ReportBlock[] = [];
  let characters = 0;
  const save = async () => {
    const blocks = batch;
    batch = [];
    characters = 0;
    if (blocks.length > 0) orLost(await reports.saveBlocks(claim, blocks, now() + leaseMs));
  };
  for (const block of gatherer.takeBlocks()) {
    batch.push(block);
    characters += block.content.length;
    if (batch.length < BLOCKS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    await save();
    await pause();
  }
  await save();
}

async function savePolicies(
  { reports, now, leaseMs }: RunReportDeps,
  { claim, pause }: ReportTask,
  { prepared: { evaluator }, gatherer }: { readonly prepared: PreparedReport; readonly gatherer: ViolationGatherer },
): Promise<void> {
  let passed: SodReportCounts = { new: 0, same: 0, gone: 0 };
  let batch: Parameters<ReportStore['savePolicies']>[1][number][] = [];
  const save = async () => {
    const policies = batch;
    batch = [];
    const state = { passed, leaseEndMs: now() + leaseMs };
    passed = policies.reduce(sumOf, passed);
    if (policies.length > 0) orLost(await reports.savePolicies(claim, policies, state));
  };
  for (const number of evaluator.policies) {
    const counts = gatherer.countsOf(number);
    if (counts.new + counts.same + counts.gone === 0) continue;
    batch.push({ ...evaluator.policyAt(number), number, ...counts });
    if (batch.length < POLICIES_AT_ONCE) continue;
    await save();
    await pause();
  }
  await save();
}

const sumOf = (sum: SodReportCounts, { new: added, same, gone }: SodReportCounts): SodReportCounts => ({
  new: sum.new + added,
  same: sum.same + same,
  gone: sum.gone + gone,
});
