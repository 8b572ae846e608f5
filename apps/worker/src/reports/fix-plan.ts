import { FIX_PLAN_VIOLATIONS_MAX } from '@access-admin/contract';
import {
  type FixPlan,
  type FixPlanRequest,
  type FixPlanSummary,
  planFixes,
  protectionOf,
  type SodIndex,
} from '@access-admin/domain';
import type { FixPlanEntry, ReportSource } from '@access-admin/store';
import { LeaseLost, type Pause } from '../leased/pause.ts';
import { FIX_PLAN_TOO_MANY_VIOLATIONS, REPORT_TOO_MANY_EXCEPTIONS } from './bounds.ts';
import { loadExceptions } from './exceptions.ts';
import { type PlannedReport, readRevocations, stepEntries, unsolvableOf } from './fix-plan-entries.ts';
import { countHolders } from './fix-plan-holders.ts';
import { createProblemMaker } from './fix-plan-problem.ts';
import { evaluatorOf, findViolators, type Violator } from './fix-plan-violators.ts';
import type { Population } from './population.ts';
import type { Unpreparable } from './prepare.ts';
import { shardSize } from './shard.ts';
import type { ReportTask, RunReportDeps } from './task.ts';

/** What a plan is made from. */
export interface FixPlanBasis {
  readonly fixPlan: FixPlanRequest;
  readonly source: ReportSource;
  readonly index: SodIndex;
  /** The moment of the plan: the time of the data. */
  readonly asOf: string;
  readonly population: Population;
}

// Finding the violations is most of the work.
const FOUND_PROGRESS = 0.8;

/** Stores the steps of a fix plan and the violations that they leave, and returns its summary. */
export async function makeFixPlan(
  deps: RunReportDeps,
  task: ReportTask,
  basis: FixPlanBasis,
): Promise<FixPlanSummary | Unpreparable> {
  const { index, fixPlan, population } = basis;
  const { pause, claim } = task;
  const evaluator = evaluatorOf(index, fixPlan);
  const found = await gather(task, basis, evaluator);
  if ('message' in found) return found;
  const protection = protectionOf(index.catalogue, fixPlan.protect);
  const problemOf = createProblemMaker(index, population.refs, protection);
  const problems = found.violators.map(problemOf);
  const plan = await solve(
    {
      identities: problems,
      entitlementCount: protection.entitlementCount,
      protectedEntitlements: protection.protectedEntitlements,
      spareOf: (entitlement) => spareAt(found.holders, entitlement, fixPlan.keepHolders),
    },
    pause,
  );
  const planned: PlannedReport = { index, evaluator, problems, plan, pause };
  const unsolvable = await save(deps, task, unsolvableOf(planned));
  const revocationOf = await readRevocations(deps.reports, claim.tenant, planned);
  const revocations = await save(deps, task, stepEntries(planned, revocationOf));
  return {
    violations: found.violationCount,
    ended: found.violationCount - unsolvable,
    unsolvable,
    revocations,
    identities: plan.identities.filter(({ taken }) => taken.length > 0).length,
    lowerBound: plan.lowerBound,
    optimal: plan.isOptimal,
  };
}

/** Of what all may lose, no holder has to be kept. */
const spareAt = (holders: Uint32Array, entitlement: number, keepHolders: number): number =>
  keepHolders === 0 ? Number.POSITIVE_INFINITY : Math.max(0, (holders[entitlement] ?? 0) - keepHolders);

interface Found {
  /** In order of their ids. */
  readonly violators: readonly Violator[];
  readonly violationCount: number;
  /** By entitlement; not counted where none has to be kept. */
  readonly holders: Uint32Array;
}

/** Finds the violations that a plan is about, and counts the holders of all entitlements. */
async function gather(
  { lease, pause }: ReportTask,
  { fixPlan, source, index, asOf, population }: FixPlanBasis,
  evaluator: ReturnType<typeof evaluatorOf>,
): Promise<Found | Unpreparable> {
  await population.refresh(source, pause);
  const exceptions = await loadExceptions(source, evaluator, { instant: asOf, pause });
  if (exceptions === null) return { message: REPORT_TOO_MANY_EXCEPTIONS };
  // An open snapshot keeps the database from truncating its log, so it is closed as early as possible.
  if (population.size() !== null) await source[Symbol.asyncDispose]();
  const identitiesMax = population.size() ?? (await source.countIdentities());
  const nowMs = Date.parse(asOf);
  const data = { catalogue: index.catalogue, population, nowMs, at: asOf, exceptions };
  const identityIds = fixPlan.identityIds === null ? null : new Set(fixPlan.identityIds);
  const holders = new Uint32Array(index.catalogue.entitlements.length);
  const violators: Violator[] = [];
  let violationCount = 0;
  let passed = 0;
  for (let number = 0; number < population.shardCount; number++) {
    const shard = await population.open(number, source, pause);
    for (const violator of await findViolators({ shard, evaluator, data, identityIds, pause })) {
      violators.push(violator);
      violationCount += violator.violations.length;
    }
    if (violationCount > FIX_PLAN_VIOLATIONS_MAX) return { message: FIX_PLAN_TOO_MANY_VIOLATIONS };
    if (fixPlan.keepHolders > 0) await countHolders(shard, holders, { index, population, atMs: nowMs, pause });
    passed += shardSize(shard);
    lease.progress = FOUND_PROGRESS * Math.min(1, passed / Math.max(1, identitiesMax));
  }
  await source[Symbol.asyncDispose]();
  return { violators, violationCount, holders };
}

async function solve(problem: Parameters<typeof planFixes>[0], pause: Pause): Promise<FixPlan> {
  const steps = planFixes(problem);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
}

// Of one transaction, so that other writers do not wait long.
const ENTRIES_AT_ONCE = 2_000;

/** Stores entries; returns their number. */
async function save(
  { reports, now, leaseMs }: RunReportDeps,
  { claim, pause }: ReportTask,
  entries: AsyncIterable<FixPlanEntry>,
): Promise<number> {
  let waiting: FixPlanEntry[] = [];
  let count = 0;
  const flush = async () => {
    if (waiting.length > 0 && !(await reports.saveEntries(claim, waiting, now() + leaseMs))) throw new LeaseLost();
    count += waiting.length;
    waiting = [];
    await pause();
  };
  for await (const entry of entries) {
    waiting.push(entry);
    if (waiting.length === ENTRIES_AT_ONCE) await flush();
  }
  await flush();
  return count;
}
