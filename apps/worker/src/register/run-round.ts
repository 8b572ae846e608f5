import type { RegisterClaim, RegisterMaintenance, RegisterSource, SodReader } from '@access-admin/store';
import type { Logger } from 'pino';
import type { Pause } from '../leased/pause.ts';
import { openCurrent, waitForPopulation } from '../reports/open-current.ts';
import type { Populations } from '../reports/population.ts';
import { createCatchUp, GaveWay } from './catch-up.ts';
import { compareIdentities } from './compare-identities.ts';
import { comparePopulation, type PopulationComparison } from './compare-population.ts';
import { createDifferences } from './differences.ts';
import { createEndedStatus, planRound, type RoundPlan, type TakenIn } from './plan-round.ts';
import { publishRound, removeEnded } from './publish-round.ts';

export interface RunRoundDeps {
  readonly register: RegisterMaintenance;
  readonly reader: SodReader;
  readonly populations: Populations;
  readonly log: Pick<Logger, 'warn'>;
  /** How many days ended violations are kept. */
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

const CATCH_UP_EVERY_MS_MIN = 100;

/**
 * Brings a register to the state of the data that it begins with: reads what has changed, compares that with what is stored,
 * applies the differences in batches, and publishes the instant up to which the register is complete. Readers see each batch at
 * once. A round that is not published begins again: what it has applied is no difference then. Throws `LeaseLost` when another
 * worker has taken the register.
 */
export async function runRound(deps: RunRoundDeps, claim: RegisterClaim): Promise<RoundOutcome> {
  const { register, now, pause } = deps;
  const { tenant } = claim;
  const openCurrentData = () =>
    openCurrent(deps, tenant, {
      look: () => register.readVersion(tenant),
      open: () => register.openSource(tenant),
    });
  const { source, index, asOf } = await openCurrentData();
  const plan = await beginRound(deps, { claim, source, asOf });
  /** The identities that are compared one by one, with the present data. */
  const skipped = new Set<string>();
  const comparison = { openCurrent: openCurrentData, endedStatusOf: createEndedStatus(claim, plan), pause };
  const catchUp = createCatchUp({ ...deps, claim, plan, skipped, comparison, openCurrent: openCurrentData });
  const differences = createDifferences({ ...deps, claim, at: plan.start.asOf, skipped, isExpected: plan.isExpected });
  /** The instant of the beginning: time may have changed identities that were compared before the catch-up compared others. */
  const takenInAtStart = (): TakenIn => ({ ...catchUp.takenIn(), asOf: plan.start.asOf });
  /** Publishes what has changed while the rest is being verified. */
  const publishChanges = (takenIn: TakenIn) => publishRound(deps, { claim, plan, takenIn, corrected: null });
  const publishEnd = (corrected: number | null) => {
    // A verification finds the next instants of all identities to be stored already, so the catch-up misses none.
    const takenIn = plan.kind === 'verification' ? catchUp.takenIn() : takenInAtStart();
    return publishRound(deps, { claim, plan, takenIn, corrected });
  };
  const outcome = (isBehind: boolean): RoundOutcome => ({
    changed: differences.counts.all + catchUp.changedCount(),
    isBehind,
  });

  let caughtUpMs = now();
  let everyMs = CATCH_UP_EVERY_MS_MIN;
  /** Between two pieces of work; whether others have changed since the last one. */
  const catchUpIfDue = async (): Promise<boolean> => {
    await pause();
    const beganMs = now();
    if (Math.abs(beganMs - caughtUpMs) < everyMs) return false;
    const hasChanged = await catchUp.run();
    caughtUpMs = now();
    // Then the round goes on for as long as that took: it ends however many identities change.
    everyMs = Math.max(CATCH_UP_EVERY_MS_MIN, caughtUpMs - beganMs);
    return hasChanged;
  };
  const pauseAndCatchUp = async () => void (await catchUpIfDue());
  const pauseAndPublishChanges = async () => {
    if (await catchUpIfDue()) await publishChanges(catchUp.takenIn());
  };

  try {
    const compared = { ...comparison, atMs: Date.parse(plan.start.asOf), differences, pause: pauseAndCatchUp };
    await compareIdentities(compared, [...plan.identities]);
    await differences.save(pauseAndCatchUp);
    // They were compared with the present rulebook, which may be later than that of the plan.
    for (const id of plan.identities) skipped.add(id);
    const isVerification = plan.kind === 'verification';
    if (isVerification && plan.identities.size > 0) await publishChanges(takenInAtStart());
    if (plan.kind !== 'changes' || plan.policies.length > 0) {
      const between = isVerification ? pauseAndPublishChanges : pauseAndCatchUp;
      await compareAll(deps, { ...compared, pause: between, plan, index, skipped }, claim);
      // Identities that changed meanwhile were skipped, too.
      await catchUp.run();
    }
  } catch (error) {
    if (error instanceof GaveWay) return outcome(true);
    throw error;
  }
  if (plan.kind === 'changes') await publishEnd(null);
  else {
    await removeEnded(deps, claim, plan.start.asOf);
    const corrected = differences.counts.unexpected;
    await publishEnd(corrected);
    if (corrected > 0) deps.log.warn({ tenant, corrected }, 'a full comparison corrected the register');
  }
  return outcome(false);
}

interface Beginning {
  readonly claim: RegisterClaim;
  readonly source: RegisterSource;
  readonly asOf: string;
}

/** Plans the round, and stores which exceptions its data make void: later rounds look only at what has changed since. */
async function beginRound({ register }: RunRoundDeps, { claim, source: opened, asOf }: Beginning): Promise<RoundPlan> {
  await using source = opened;
  const plan = await planRound(claim, source, asOf);
  await register.voidExceptions(claim.tenant, source, plan.start.asOf);
  return plan;
}

/** Compares all identities. */
async function compareAll(
  deps: RunRoundDeps,
  comparison: Omit<PopulationComparison, 'open' | 'population' | 'exceptionsMax'>,
  { tenant }: RegisterClaim,
): Promise<void> {
  // A report of the tenant may use it.
  for (; deps.populations.isOpen(tenant); await comparison.pause()) await waitForPopulation(deps);
  using population = deps.populations.open(tenant);
  const { exceptionsMax, register } = deps;
  await comparePopulation({ ...comparison, population, exceptionsMax, open: () => register.openSource(tenant) });
}
