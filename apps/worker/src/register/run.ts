import type { SodReader } from '@access-admin/rulebook-cache';
import type { KnownPolicy, RegisterClaim, RegisterMaintenance, RegisterSource, Store } from '@access-admin/store';
import type { Logger } from 'pino';
import { openCurrent, pause } from '../reports/open-current.ts';
import type { Populations } from '../reports/population.ts';
import { createCatchUp, type TakenIn } from './catch-up.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import { comparePopulation } from './compare-population.ts';
import { createDifferences, type Differences } from './differences.ts';
import { planRound, type RoundPlan } from './plan.ts';

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
  /** Milliseconds since 1970. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The outcome of a round: how many violations it changed; null when another worker has taken the register. */
export type RoundOutcome = { readonly changed: number } | null;

/** Brings a register to the present state of the data, in steps, while its lease is renewed. */
export async function* runRound(deps: RunRoundDeps, claim: RegisterClaim): AsyncGenerator<void, RoundOutcome> {
  const { register } = deps;
  const open = () => register.openSource(claim.tenant);
  const current = await openCurrent(deps, claim.tenant, open);
  await using source = current.source;
  yield;
  const plan = await planRound(claim, source, current.asOf);
  await using differences = createDifferences({ ...deps, claim, at: plan.asOf, isExpected: plan.isExpected });
  const overtaken = new Set<string>();
  const comparison: Comparison = {
    ...{ source, index: current.index, atMs: Date.parse(plan.asOf), differences, endedStatus: plan.endedStatus },
    isOvertaken: (id) => overtaken.has(id),
  };
  const done = new Set(plan.identities);
  const { identityRevision, identityCount } = source;
  const catchUp = createCatchUp({
    ...{ ...deps, claim, comparison, open, isPossible: plan.areIdentitiesKnown },
    start: { identityRevision, identityCount, asOf: plan.asOf, deleted: plan.deleted, changed: 0 },
    createDifferences: (at) => createDifferences({ ...deps, claim, at, isExpected: () => true }),
    onOvertaken: (ids) => {
      for (const id of ids) {
        overtaken.add(id);
        done.add(id);
      }
    },
  });
  if (!(yield* catchUp.during(compare(deps, comparison, { claim, plan, done })))) return null;
  if (!(await differences.save())) return null;
  const takenIn = catchUp.takenIn();
  if (!(yield* settle(deps, claim, { plan, takenIn }))) return null;
  if (!(await finish(deps, claim, { plan, takenIn, version: source.version, counts: differences.counts }))) return null;
  return { changed: differences.counts.all + takenIn.changed };
}

interface Finished extends Settled {
  readonly version: RegisterSource['version'];
  readonly counts: Differences['counts'];
}

/** The register now has the data of the round. */
async function finish(
  { register, log }: RunRoundDeps,
  claim: RegisterClaim,
  { plan, takenIn, version, counts }: Finished,
): Promise<boolean> {
  const corrected = plan.isFull ? correctedOf(plan, counts) : null;
  const { identityRevision, identityCount: identities, asOf } = takenIn;
  const compareDue = plan.isFull ? new Date(Date.parse(plan.asOf) + DAY_MS).toISOString() : null;
  if (!(await register.finish(claim, { ...version, identityRevision, identities, asOf, compareDue, corrected })))
    return false;
  if (corrected !== null && corrected > 0)
    log.warn({ tenant: claim.tenant, corrected }, 'a full comparison corrected the register');
  return true;
}

/** After a restore every difference is a correction; where it is not known what has changed, none is. */
function correctedOf({ isRestored, isKnown }: RoundPlan, { all, unexpected }: Differences['counts']): number {
  if (isRestored) return all;
  return isKnown ? unexpected : 0;
}

const DAY_MS = 86_400_000;

interface PlannedRound {
  readonly claim: RegisterClaim;
  readonly plan: RoundPlan;
  /** Identities that the comparison of the population leaves out; more are added meanwhile. */
  readonly done: ReadonlySet<string>;
}

async function* compare(
  deps: RunRoundDeps,
  comparison: Comparison,
  { claim, plan, done }: PlannedRound,
): AsyncGenerator<void, boolean> {
  if (!(yield* compareIdentities(comparison, [...plan.identities]))) return false;
  // These need not wait for the rest.
  if (!(await comparison.differences.save())) return false;
  if (!plan.isFull && plan.policies.length === 0) return true;
  // A report of the tenant may use it.
  while (deps.populations.isOpen(claim.tenant)) yield* pause(deps);
  using population = deps.populations.open(claim.tenant);
  const policyIds = plan.isFull ? null : plan.policies;
  return yield* comparePopulation({
    ...comparison,
    ...{ population, at: plan.asOf, policyIds, done, exceptionsMax: deps.exceptionsMax },
  });
}

interface Settled {
  readonly plan: RoundPlan;
  readonly takenIn: TakenIn;
}

const OWNERS_AT_ONCE = 100;
const POLICIES_AT_ONCE = 200;

/** Stores what the next round builds on, and removes what is over. */
async function* settle(
  { register, violationRetentionDays }: RunRoundDeps,
  claim: RegisterClaim,
  { plan, takenIn }: Settled,
): AsyncGenerator<void, boolean> {
  const untilDone = async function* (work: () => Promise<boolean | 'more'>): AsyncGenerator<void, boolean> {
    for (;;) {
      const done = await work();
      if (done !== 'more') return done;
      yield;
    }
  };
  const { deleted, asOf, identityRevision } = takenIn;
  for (let from = 0; from < deleted.length; from += OWNERS_AT_ONCE) {
    const owners = deleted.slice(from, from + OWNERS_AT_ONCE);
    if (!(yield* untilDone(() => register.clearOwners(claim, owners, asOf)))) return false;
  }
  if (deleted.length > 0 || plan.isFull) {
    const forget = () => register.forgetDeletions(claim, identityRevision);
    if (!(yield* untilDone(forget))) return false;
  }
  for (const [policies, gone] of policyPieces(plan.changedPolicies, plan.gonePolicies))
    if (!(await register.savePolicies(claim, policies, gone))) return false;
  if (plan.isExpiryDue && !(yield* untilDone(() => register.tellExpired(claim, asOf)))) return false;
  if (!plan.isFull) return true;
  const endedBefore = new Date(Date.parse(asOf) - violationRetentionDays * DAY_MS).toISOString();
  return yield* untilDone(() => register.removeEnded(claim, endedBefore));
}

function* policyPieces(
  changed: readonly KnownPolicy[],
  gone: readonly string[],
): Generator<readonly [readonly KnownPolicy[], readonly string[]]> {
  for (let from = 0; from < Math.max(changed.length, gone.length); from += POLICIES_AT_ONCE)
    yield [changed.slice(from, from + POLICIES_AT_ONCE), gone.slice(from, from + POLICIES_AT_ONCE)];
}
