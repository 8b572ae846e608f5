import { LONG_CHECKS_MAX } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';
import type { Turns } from '../turns/turns.ts';
import { type Costs, createCosts } from './costs.ts';
import { type CheckLane, type CheckLaneDeps, createCheckLane } from './lane.ts';
import { type HeldCheck, LONG_WORK_MS, type LongRoom } from './underway.ts';

/** The checks that the worker holds, in lanes by tenant. */
export interface HeldChecks {
  readonly count: number;
  add(claims: readonly ClaimedCheck[], nowMs: number): void;
  /** For the next claim: the most new checks of these tenants. */
  limits(): ReadonlyMap<string, number>;
  all(): readonly HeldCheck[];
  /** Forgets a check without an outcome. */
  drop(check: HeldCheck): void;
  /** Whether a check that was claimed before has not yet shown that it does not end the process. */
  isTrying(): boolean;
}

export interface HeldChecksDeps extends Omit<CheckLaneDeps, 'onWork'> {
  readonly turns: Pick<Turns, 'add' | 'remove'>;
}

export function createHeldChecks({ turns, ...deps }: HeldChecksDeps): HeldChecks {
  const lanes = new Map<string, CheckLane>();
  const costs = createCosts();
  const tried = new Set<HeldCheck>();
  const rooms = createLongRooms(turns);

  const laneDeps = observe(deps, costs, tried);
  const laneOf = (tenant: string): CheckLane => {
    const lane =
      lanes.get(tenant) ??
      createCheckLane(
        tenant,
        laneDeps,
        rooms.of(() => laneOf(tenant)),
      );
    lanes.set(tenant, lane);
    return lane;
  };

  const add = (check: HeldCheck) => {
    const lane = laneOf(check.claim.tenant);
    lane.add(check);
    turns.add(lane);
  };

  return {
    get count() {
      return [...lanes.values()].reduce((sum, { held }) => sum + held.length, 0);
    },
    add: (claims, nowMs) => {
      for (const claim of claims) {
        const check: HeldCheck = { claim, claimedMs: nowMs, leasedMs: nowMs, workMs: 0, isLong: false };
        if (claim.attempts > 1) tried.add(check);
        add(check);
      }
    },
    limits: () => {
      for (const [tenant, lane] of lanes) if (lane.held.length === 0) lanes.delete(tenant);
      return costs.limits(new Map(Array.from(lanes, ([tenant, { held }]) => [tenant, held.length])));
    },
    all: () => [...lanes.values()].flatMap(({ held }) => held),
    drop: (check) => {
      tried.delete(check);
      const { tenant } = check.claim;
      const lane = lanes.get(tenant);
      if (lane?.drop(check) !== true) return;
      turns.remove(lane);
      lanes.delete(tenant);
      lane.held.forEach(add);
    },
    isTrying: () => tried.size > 0,
  };
}

/** Counts the work and the checks of lanes, and notes when a check is no longer being tried. */
function observe(deps: Omit<CheckLaneDeps, 'onWork'>, costs: Costs, tried: Set<HeldCheck>): CheckLaneDeps {
  const settled =
    <Rest extends readonly unknown[]>(settle: (check: HeldCheck, ...rest: Rest) => void) =>
    (check: HeldCheck, ...rest: Rest) => {
      tried.delete(check);
      costs.addCheck(check.claim.tenant);
      settle(check, ...rest);
    };
  return {
    runCheck: deps.runCheck,
    busyMs: deps.busyMs,
    onOutcome: settled(deps.onOutcome),
    onFailure: settled(deps.onFailure),
    onTooLong: settled(deps.onTooLong),
    onWork: (check, ms) => {
      check.workMs += ms;
      costs.addWork(check.claim.tenant, ms);
      if (check.workMs >= LONG_WORK_MS) tried.delete(check);
    },
  };
}

/** The room for long checks. A lane without room has its next turn when another gives some back. */
function createLongRooms(turns: Pick<Turns, 'add'>) {
  const blocked = new Set<() => CheckLane>();
  let free = LONG_CHECKS_MAX;
  const of = (lane: () => CheckLane): LongRoom => ({
    take: () => {
      if (free === 0) {
        blocked.add(lane);
        return false;
      }
      free -= 1;
      return true;
    },
    give: () => {
      free += 1;
      for (const each of blocked) turns.add(each());
      blocked.clear();
    },
  });
  return { of };
}
