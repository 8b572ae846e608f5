import type { RegisterClaim, RegisterMaintenance, RegisterSource, SodReader } from '@access-admin/store';
import type { Logger } from 'pino';
import type { Pause } from '../leased/pause.ts';
import { type Opening, openCurrent, waitForPopulation } from '../reports/open-current.ts';
import type { Populations } from '../reports/population.ts';
import { createDifferences, type Differences } from './apply.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import { comparePopulation } from './compare-population.ts';
import { publish, removeEnded } from './publish.ts';
import { isOverdue, planRound, type RoundPlan } from './read-changes.ts';
import { type TakenIn, takeChanges } from './take-changes.ts';

export interface RunRoundDeps {
  readonly register: RegisterMaintenance;
  readonly reader: SodReader;
  readonly populations: Populations;
  readonly log: Pick<Logger, 'debug' | 'error' | 'warn'>;
  /** Ended violations are kept so long. */
  readonly violationRetentionDays: number;
  /** A shard with more approved exceptions is compared identity by identity. */
  readonly exceptionsMax: number;
  /** How many differences a transaction has at most, as `BATCH_MAX` says of each engine. */
  readonly batchMax: number;
  /** Milliseconds since 1970. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  readonly pause: Pause;
}

/** The outcome of a round. */
export interface RoundOutcome {
  /** How many violations it changed. */
  readonly changed: number;
  /** Whether it ended early because something waits for the next round. */
  readonly isBehind: boolean;
}

/** Thrown where a comparison that only verifies the register gives way to a change. */
class GaveWay extends Error {
  override readonly name = 'GaveWay';
}

/**
 * Brings a register to the state of the data that it begins with: reads what has changed, compares that with what is stored,
 * applies the differences in batches, and publishes the instant up to which the register is complete. Readers see each batch at
 * once. A round that is not published begins again: what it has applied is no difference then. Throws `LeaseLost` when another
 * worker has taken the register.
 */
export async function runRound(deps: RunRoundDeps, claim: RegisterClaim): Promise<RoundOutcome> {
  const { register, pause } = deps;
  const { tenant } = claim;
  const opening: Opening<RegisterSource> = {
    look: () => register.readVersion(tenant),
    open: () => register.openSource(tenant),
  };
  const { source, index, asOf } = await openCurrent(deps, tenant, opening);
  const { version, identityRevision, identityCount } = source;
  let plan: RoundPlan;
  try {
    plan = await planRound(claim, source, asOf);
    await register.voidExceptions(tenant, source, plan.asOf);
  } finally {
    await source[Symbol.asyncDispose]();
  }
  const start: TakenIn = { identityRevision, identityCount, asOf: plan.asOf };
  /** Identities that were not compared because they have changed meanwhile. */
  const left = new Set<string>();
  let publishedAsOf = claim.asOf;
  /** While some are left, the register is no more complete than before. False before it was complete for the first time. */
  const publishRound = async (takenIn: TakenIn, corrected: number | null): Promise<boolean> => {
    if (![...left].some((id) => !changes.isTaken(id))) publishedAsOf = takenIn.asOf;
    if (publishedAsOf === null) return false;
    await publish(deps, { claim, plan, version, takenIn: { ...takenIn, asOf: publishedAsOf }, corrected });
    return true;
  };
  const differences = createDifferences({ ...deps, claim, at: plan.asOf, isExpected: plan.isExpected });
  const comparison: Omit<Comparison, 'isTaken' | 'leave'> = {
    open: opening.open,
    index,
    version: { version, identityRevision },
    atMs: Date.parse(plan.asOf),
    differences,
    endedStatus: plan.endedStatus,
    pause,
  };
  const givesWay = plan.isVerification && !isOverdue(claim, plan.asOf);
  let areChangesIn = false;
  const changes = takeChanges({
    ...deps,
    claim,
    comparison,
    opening,
    start,
    onTaken: async (takenIn) => {
      if (areChangesIn && plan.isVerification) await publishRound(takenIn, null);
    },
    onMissed: () => {
      if (givesWay) throw new GaveWay();
    },
  });
  const taking: Comparison = {
    ...comparison,
    isTaken: changes.isTaken,
    leave: (id) => void left.add(id),
    pause: changes.pause,
  };
  const outcome = (isBehind: boolean): RoundOutcome => ({
    changed: differences.counts.all + changes.changed(),
    isBehind,
  });
  try {
    await compareIdentities(taking, [...plan.identities]);
    await differences.save(pause);
    areChangesIn = true;
    // What has changed is complete before the rest is verified.
    if (plan.isVerification && plan.identities.size > 0) await publishRound(changes.takenIn(), null);
    if (plan.isFull || plan.policies.length > 0) await compareAll(deps, taking, { tenant, plan });
    if (left.size > 0) await changes.take();
  } catch (error) {
    if (error instanceof GaveWay) return outcome(true);
    throw error;
  }
  if (plan.isFull) await removeEnded(deps, claim, plan.asOf);
  const corrected = plan.isFull ? correctedOf(plan, differences.counts) : null;
  const takenIn = changes.takenIn();
  // While others were compared, time may have changed what was compared before.
  const isPublished = await publishRound(plan.isVerification ? takenIn : { ...takenIn, asOf: plan.asOf }, corrected);
  if (corrected !== null && corrected > 0)
    deps.log.warn({ tenant, corrected }, 'a full comparison corrected the register');
  return outcome(!isPublished);
}

/** After a restore every difference is a correction; where it is not known what has changed, none is. */
function correctedOf({ isRestored, isKnown }: RoundPlan, { all, unexpected }: Differences['counts']): number {
  if (isRestored) return all;
  return isKnown ? unexpected : 0;
}

interface ComparedRound {
  readonly tenant: string;
  readonly plan: RoundPlan;
}

/** Compares all identities. */
async function compareAll(deps: RunRoundDeps, comparison: Comparison, { tenant, plan }: ComparedRound): Promise<void> {
  // A report of the tenant may use it.
  for (; deps.populations.isOpen(tenant); await comparison.pause()) await waitForPopulation(deps);
  using population = deps.populations.open(tenant);
  const policyIds = plan.isFull ? null : plan.policies;
  const { exceptionsMax } = deps;
  await comparePopulation({ ...comparison, population, at: plan.asOf, policyIds, exceptionsMax });
}
