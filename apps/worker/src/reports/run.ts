import { REPORTS_KEPT_MAX, type SodIndex, type SodReportCounts } from '@access-admin/domain';
import type { SodReader } from '@access-admin/rulebook-cache';
import type { ClaimedReport, ReportBlock, ReportSource, ReportTotals, SodReportStore } from '@access-admin/store';
import { REPORT_TOO_MANY_EXCEPTIONS, REPORT_TOO_MANY_VIOLATIONS } from '../claims/bounds.ts';
import { evaluateShard } from './evaluate-shard.ts';
import { loadExceptions } from './exceptions.ts';
import { createViolationGatherer, type ViolationGatherer } from './gather-violations.ts';
import type { LeaseDeps, ReportLease } from './lease.ts';
import { openCurrent, pause } from './open-current.ts';
import type { Populations } from './population.ts';
import { type PreparedReport, prepareReport, type Unpreparable } from './prepare.ts';
import { shardSize } from './shard.ts';

export interface RunReportDeps extends LeaseDeps {
  readonly reports: SodReportStore;
  readonly reader: SodReader;
  readonly populations: Populations;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** The number of reports that share the memory for violations. */
  reportsUnderWay(): number;
}

/**
 * Makes a report as of one instant and stores it, in steps of some milliseconds, while its lease is renewed. Returns false
 * when another worker has taken the report.
 */
export async function* runReport(
  deps: RunReportDeps,
  claim: ClaimedReport,
  lease: ReportLease,
): AsyncGenerator<void, boolean> {
  const { tenant } = claim;
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
  yield;
  lease.basis = { policySetVersion, asOf };
  if (!(await lease.renew())) return false;
  const made = yield* makeReport(deps, claim, { source, index, asOf, lease });
  if (made === null) return false;
  if ('message' in made) return fail(deps, claim, made.message);
  const completed = new Date(deps.now()).toISOString();
  const completion = { state: 'SUCCESS', completed, totals: made, message: null } as const;
  if (!(await deps.reports.complete(claim, completion, REPORTS_KEPT_MAX))) return false;
  while (claim.attempts > 1 && (await deps.reports.removeLeftovers(claim))) yield;
  return true;
}

interface Basis {
  readonly source: ReportSource;
  readonly index: SodIndex;
  readonly asOf: string;
  readonly lease: ReportLease;
}

/** Stores the violations of a report and returns its totals; null when another worker has taken it. */
async function* makeReport(
  deps: RunReportDeps,
  claim: ClaimedReport,
  { source, index, asOf, lease }: Basis,
): AsyncGenerator<void, ReportTotals | Unpreparable | null> {
  const prepared = yield* prepareReport({ reports: deps.reports, source, index }, claim);
  if ('message' in prepared) return prepared;
  // The register of the tenant may use it.
  while (deps.populations.isOpen(claim.tenant)) yield* pause(deps);
  using population = deps.populations.open(claim.tenant);
  yield* population.refresh(source);
  const exceptions = yield* loadExceptions(source, prepared, claim.at ?? asOf);
  if (exceptions === null) return { message: REPORT_TOO_MANY_EXCEPTIONS };
  // An open snapshot keeps the database from truncating its log, so it is closed as early as possible.
  if (population.size() !== null) await source[Symbol.asyncDispose]();
  const gatherer = createViolationGatherer(deps.reportsUnderWay);
  const data = { catalogue: index.catalogue, population, nowMs: Date.parse(asOf), at: claim.at, exceptions };
  const identitiesMax = population.size() ?? (await source.countIdentities());
  let [passed, identities] = [0, 0];
  for (let number = 0; number < population.shardCount; number++) {
    const shard = yield* population.open(number, source);
    const evaluated = yield* saving(evaluateShard(shard, { prepared, data }, { gatherer }), deps, { claim, gatherer });
    if (evaluated === null) return null;
    if (evaluated === 'tooLarge') return { message: REPORT_TOO_MANY_VIOLATIONS };
    identities += evaluated;
    passed += shardSize(shard);
    lease.progress = Math.min(1, passed / Math.max(1, identitiesMax));
  }
  await source[Symbol.asyncDispose]();
  if (!(yield* saveBlocks(deps, claim, gatherer))) return null;
  if (!(yield* savePolicies(deps, claim, { prepared, gatherer }))) return null;
  return { identities, ...gatherer.totals() };
}

/** Runs steps and saves blocks between them when there are enough; null when another worker has taken the report. */
async function* saving<T>(
  steps: Generator<void, T>,
  deps: RunReportDeps,
  { claim, gatherer }: { readonly claim: ClaimedReport; readonly gatherer: ViolationGatherer },
): AsyncGenerator<void, T | null> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (gatherer.isFull() && !(yield* saveBlocks(deps, claim, gatherer))) return null;
    yield;
  }
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

async function* saveBlocks(
  { reports, now, leaseMs }: RunReportDeps,
  claim: ClaimedReport,
  gatherer: ViolationGatherer,
): AsyncGenerator<void, boolean> {
  let batch: ReportBlock[] = [];
  let characters = 0;
  const save = async () => {
    const blocks = batch;
    batch = [];
    characters = 0;
    return blocks.length === 0 || reports.saveBlocks(claim, blocks, now() + leaseMs);
  };
  for (const block of gatherer.takeBlocks()) {
    batch.push(block);
    characters += block.content.length;
    if (batch.length < BLOCKS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    if (!(await save())) return false;
    yield;
  }
  return save();
}

async function* savePolicies(
  { reports, now, leaseMs }: RunReportDeps,
  claim: ClaimedReport,
  { prepared: { evaluator }, gatherer }: { readonly prepared: PreparedReport; readonly gatherer: ViolationGatherer },
): AsyncGenerator<void, boolean> {
  let passed: SodReportCounts = { new: 0, same: 0, gone: 0 };
  let batch: Parameters<SodReportStore['savePolicies']>[1][number][] = [];
  const save = async () => {
    const policies = batch;
    batch = [];
    const state = { passed, leaseEndMs: now() + leaseMs };
    passed = policies.reduce(sumOf, passed);
    return policies.length === 0 || reports.savePolicies(claim, policies, state);
  };
  for (const number of evaluator.policies) {
    const counts = gatherer.countsOf(number);
    if (counts.new + counts.same + counts.gone === 0) continue;
    batch.push({ ...evaluator.policyAt(number), number, ...counts });
    if (batch.length < POLICIES_AT_ONCE) continue;
    if (!(await save())) return false;
    yield;
  }
  return save();
}

const sumOf = (sum: SodReportCounts, { new: added, same, gone }: SodReportCounts): SodReportCounts => ({
  new: sum.new + added,
  same: sum.same + same,
  gone: sum.gone + gone,
});
