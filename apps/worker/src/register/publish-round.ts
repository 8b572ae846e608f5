import type { RegisterClaim, RegisterMaintenance } from '@access-admin/store';
import { LeaseLost, type Pause } from '../leased/pause.ts';
import type { RoundPlan, TakenIn } from './plan-round.ts';

interface PublishDeps {
  readonly register: Pick<RegisterMaintenance, 'publish' | 'removeEnded'>;
  readonly violationRetentionDays: number;
  readonly pause: Pause;
}

interface Round {
  readonly claim: RegisterClaim;
  readonly plan: RoundPlan;
  readonly takenIn: TakenIn;
  /** How many violations a full comparison had to correct; null if not everything is compared. */
  readonly corrected: number | null;
}

const DAY_MS = 86_400_000;

/** Publishes what the register has taken in, and up to which instant it is complete. */
export function publishRound(deps: PublishDeps, { claim, plan, takenIn, corrected }: Round): Promise<void> {
  const { identityRevision, identityCount, asOf } = takenIn;
  const round = {
    ...plan.version,
    identityRevision,
    identities: identityCount,
    asOf,
    compareDue: corrected === null ? null : new Date(Date.parse(plan.start.asOf) + DAY_MS).toISOString(),
    corrected,
    policies: { changed: plan.changedPolicies, gone: plan.gonePolicies },
  };
  return untilDone(deps, () => deps.register.publish(claim, round));
}

/** Removes violations that ended long ago. */
export function removeEnded(deps: PublishDeps, claim: RegisterClaim, asOf: string): Promise<void> {
  const endedBefore = new Date(Date.parse(asOf) - deps.violationRetentionDays * DAY_MS).toISOString();
  return untilDone(deps, () => deps.register.removeEnded(claim, endedBefore));
}

async function untilDone({ pause }: PublishDeps, work: () => Promise<boolean | 'more'>): Promise<void> {
  for (;;) {
    const done = await work();
    if (done === false) throw new LeaseLost();
    if (done === true) return;
    await pause();
  }
}
