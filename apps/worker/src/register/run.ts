import type {
  RegisterBatch,
  RegisterClaim,
  RegisterMaintenance,
  RegisterSource,
  SodReader,
  Store,
} from '@access-admin/store';
import type { Logger } from 'pino';
import { LeaseLost, type Pause } from '../leased/pause.ts';
import { isSameData, type Opening, openCurrent, waitForPopulation } from '../reports/open-current.ts';
import type { Populations } from '../reports/population.ts';
import { createCatchUp, type TakenIn } from './catch-up.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import { comparePopulation } from './compare-population.ts';
import { createDifferences, type Differences } from './differences.ts';
import { isOverdue, planRound, type RoundPlan } from './plan.ts';

export interface RunRoundDeps {
  readonly engine: Store['engine'];
  readonly register: RegisterMaintenance;
  readonly reader: SodReader;
  readonly populations: Populations;
  readonly log: Pick<Logger, 'debug' | 'error' | 'warn'>;
  readonly leaseMs: number;
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

/**
 * Brings a register to the present state of the data, with pauses, while its lease is renewed. Readers see the whole round at
 * once, with its moment. Throws `LeaseLost` when another worker has taken the register.
 */
export async function runRound(deps: RunRoundDeps, claim: RegisterClaim): Promise<RoundOutcome> {
  const lastRenewMs = deps.now() + BEGIN_AGAIN_MS;
  for (let begun = claim; ; ) {
    const outcome = await runOnce(deps, begun, { mayRenew: deps.now() < lastRenewMs });
    if (outcome !== 'overtaken') return outcome;
    await takeBack(deps, claim);
    await settle(deps, claim, { goesOn: true });
    begun = { ...claim, isUnsettled: false };
  }
}

// A rulebook that changes all the time must not keep a register from its next state.
const BEGIN_AGAIN_MS = 60_000;

/** `overtaken` where a source that was renewed has a change that the round cannot take in. */
async function runOnce(
  deps: RunRoundDeps,
  claim: RegisterClaim,
  { mayRenew }: { readonly mayRenew: boolean },
): Promise<RoundOutcome | 'overtaken'> {
  const { register, pause } = deps;
  const { tenant } = claim;
  if (claim.isUnsettled) await takeBack(deps, claim);
  const opening: Opening<RegisterSource> = {
    look: () => register.readVersion(tenant),
    open: () => register.openSource(tenant),
  };
  const current = await openCurrent(deps, tenant, opening);
  await using source = current.source;
  await pause();
  const plan = await planRound(claim, source, current.asOf);
  // All next instants are compared with those that are stored, which must be all there are.
  if (claim.isUnsettled && plan.isFull) {
    await settle(deps, claim, { goesOn: false });
    return { changed: 0, isBehind: true };
  }
  const voidIds = await register.voidExceptions(tenant, source, plan.asOf);
  await using differences = createDifferences({ ...deps, claim, canStage: true });
  const overtaken = new Set<string>();
  const comparison: Comparison = {
    source,
    index: current.index,
    atMs: Date.parse(plan.asOf),
    differences: differences.collect({ at: plan.asOf, isExpected: plan.isExpected }),
    voidIds,
    areDuesStored: !claim.isUnsettled,
    endedStatus: plan.endedStatus,
    isOvertaken: (id) => overtaken.has(id),
    pause,
  };
  const round: Round = { claim, plan, version: source.version };
  const { identityRevision, identityCount } = source;
  const start: TakenIn = { identityRevision, identityCount, asOf: plan.asOf };
  const concludeAtOnce = async (batch: RegisterBatch, takenIn: TakenIn) => {
    await conclude(deps, round, { batch, takenIn, isVerified: false, goesOn: true });
  };
  const done = new Set(plan.identities);
  const isAtOnce = plan.isVerification && !isOverdue(claim, plan.asOf);
  const catchUp = createCatchUp({
    ...deps,
    claim,
    comparison,
    differences,
    version: source.version,
    start,
    opening,
    areInstantsKnown: plan.areIdentitiesKnown,
    mayRenew,
    isAtOnce,
    onOvertaken: (ids) => {
      for (const id of ids) {
        overtaken.add(id);
        done.add(id);
      }
    },
    conclude: concludeAtOnce,
  });
  const changedCompared = await catchUp.duringChanged((pausing) =>
    compareIdentities({ ...comparison, pause: pausing }, [...plan.identities]),
  );
  if (changedCompared === 'behind') return 'overtaken';
  // A register is verified in one transaction: what is too much for one is concluded first, and the next round verifies it.
  const isVerifiedNow = plan.isVerification && !differences.isStaged();
  if (isVerifiedNow && plan.identities.size > 0) await concludeAtOnce(differences.takeRest(), start);
  const isPopulationCompared = plan.isVerification ? isVerifiedNow : plan.isFull || plan.policies.length > 0;
  if (isPopulationCompared) {
    const compared = await catchUp.duringAll((pausing) =>
      compareAll(deps, { ...comparison, pause: pausing }, { claim, plan, done }),
    );
    if (compared === 'behind' && !isAtOnce) return 'overtaken';
    if (compared === 'behind') {
      await register.release(claim, 0);
      return { changed: differences.counts.all + catchUp.changed(), isBehind: true };
    }
  }
  await differences.staged();
  await source[Symbol.asyncDispose]();
  const isVerified = plan.isFull && isPopulationCompared;
  const takenIn = catchUp.takenIn();
  if (isVerified) await removeEnded(deps, claim, takenIn.asOf);
  const rest = differences.takeRest();
  const batch = plan.isVerification ? foundAt(rest, takenIn.asOf) : rest;
  const isMuch = batch.changed.length + batch.ended.length + batch.due.length > SETTLED_WITH_MAX;
  if (claim.isUnsettled && isMuch && !differences.isStaged()) await settle(deps, claim, { goesOn: true });
  const corrected = isVerified ? correctedOf(plan, differences.counts) : null;
  const concluded = await conclude(deps, round, { batch, takenIn, isVerified, corrected, goesOn: false });
  if (corrected !== null && corrected > 0)
    deps.log.warn({ tenant, corrected }, 'a full comparison corrected the register');
  const changed = differences.counts.all + catchUp.changed();
  if (concluded !== 'more') return { changed, isBehind: false };
  const { version, tenantCreated } = source;
  const isSame = async () => isSameData(await opening.look(), { version, tenantCreated, ...takenIn });
  return { changed, isBehind: (await settleWhile(deps, claim, isSame)) === 'behind' };
}

// Each may have to be settled with a batch of its own.
const SETTLED_WITH_MAX = 5;

interface Round {
  readonly claim: RegisterClaim;
  readonly plan: RoundPlan;
  /** The rulebook that it compares with. */
  readonly version: RegisterSource['version'];
}

interface Concluded {
  readonly batch: RegisterBatch;
  readonly takenIn: TakenIn;
  /** Whether everything was compared. */
  readonly isVerified: boolean;
  readonly corrected?: number | null;
  readonly goesOn: boolean;
}

/** Shows what was compared to readers: the register now has the data of the round. `more` when something is left to settle. */
async function conclude(
  { register, now }: Pick<RunRoundDeps, 'register' | 'now'>,
  { claim, plan, version }: Round,
  { batch, takenIn, isVerified, corrected = null, goesOn }: Concluded,
): Promise<'done' | 'more'> {
  const concluded = await register.conclude(claim, batch, {
    ...version,
    identityRevision: takenIn.identityRevision,
    identities: takenIn.identityCount,
    asOf: takenIn.asOf,
    now: new Date(now()).toISOString(),
    compareDue: isVerified ? new Date(Date.parse(plan.asOf) + DAY_MS).toISOString() : null,
    corrected,
    changed: { policies: plan.changedPolicies, gone: plan.gonePolicies },
    goesOn,
  });
  if (concluded === false) throw new LeaseLost();
  return concluded === 'more' ? 'more' : 'done';
}

/** After a restore every difference is a correction; where it is not known what has changed, none is. */
function correctedOf({ isRestored, isKnown }: RoundPlan, { all, unexpected }: Differences['counts']): number {
  if (isRestored) return all;
  return isKnown ? unexpected : 0;
}

/** What a verification finds was not in the register at its earlier moments. */
const foundAt = ({ opened, changed, ended, due }: RegisterBatch, at: string): RegisterBatch => ({
  opened: opened.map((each) => ({ ...each, at })),
  changed: changed.map((each) => ({ ...each, at })),
  ended: ended.map((each) => ({ ...each, at })),
  due,
});

const DAY_MS = 86_400_000;

interface Comparing {
  readonly claim: RegisterClaim;
  readonly plan: RoundPlan;
  /** Identities that the comparison of the population leaves out; more are added meanwhile. */
  readonly done: ReadonlySet<string>;
}

/** Compares all identities. */
async function compareAll(deps: RunRoundDeps, comparison: Comparison, { claim, plan, done }: Comparing): Promise<void> {
  // A report of the tenant may use it.
  for (; deps.populations.isOpen(claim.tenant); await comparison.pause()) await waitForPopulation(deps);
  using population = deps.populations.open(claim.tenant);
  const policyIds = plan.isFull ? null : plan.policies;
  const { exceptionsMax } = deps;
  await comparePopulation({ ...comparison, population, at: plan.asOf, policyIds, done, exceptionsMax });
}

/** Removes violations that ended long ago. */
function removeEnded(deps: RunRoundDeps, claim: RegisterClaim, asOf: string): Promise<void> {
  const endedBefore = new Date(Date.parse(asOf) - deps.violationRetentionDays * DAY_MS).toISOString();
  return untilDone(deps, () => deps.register.removeEnded(claim, endedBefore));
}

/** Removes what earlier claims have staged and not concluded. */
const takeBack = (deps: RunRoundDeps, claim: RegisterClaim): Promise<void> =>
  untilDone(deps, () => deps.register.takeBack(claim, deps.now() + deps.leaseMs));

/** Does what rounds have left. */
const settle = (deps: RunRoundDeps, claim: RegisterClaim, { goesOn }: { readonly goesOn: boolean }): Promise<void> =>
  untilDone(deps, () => deps.register.settle(claim, { leaseEndMs: deps.now() + deps.leaseMs, goesOn }));

/** Does what rounds have left while data are the same: a change does not wait for it, but for the next round. */
async function settleWhile(
  { register, now, leaseMs, pause }: RunRoundDeps,
  claim: RegisterClaim,
  isSame: () => Promise<boolean>,
): Promise<'settled' | 'behind'> {
  for (;;) {
    const done = await register.settle(claim, { leaseEndMs: now() + leaseMs, goesOn: false });
    if (done === false) throw new LeaseLost();
    if (done === true) return 'settled';
    await pause();
    if (await isSame()) continue;
    await register.release(claim, 0);
    return 'behind';
  }
}

async function untilDone({ pause }: Pick<RunRoundDeps, 'pause'>, work: () => Promise<boolean | 'more'>): Promise<void> {
  for (;;) {
    const done = await work();
    if (done === false) throw new LeaseLost();
    if (done === true) return;
    await pause();
  }
}
