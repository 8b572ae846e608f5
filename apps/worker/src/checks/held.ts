import { LONG_CHECKS_MAX } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';
import type { Turns } from '../turns/turns.ts';
import { type ClaimLimits, type Costs, createCosts } from './costs.ts';
import { type CheckLane, type CheckLaneDeps, createCheckLane } from './lane.ts';
import { BRIEF_WORK_MS, type HeldCheck, LONG_WORK_MS, type LongRoom } from './underway.ts';

/** The checks that the worker holds, in lanes by tenant. */
export interface HeldChecks {
  readonly count: number;
  add(claims: readonly ClaimedCheck[], nowMs: number): void;
  /** For the next claim, when so many more checks can be held. */
  limits(free: number): ClaimLimits;
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
    limits: (free) => {
      for (const [tenant, lane] of lanes) if (lane.held.length === 0) lanes.delete(tenant);
      return costs.limits(new Map(Array.from(lanes, ([tenant, { held }]) => [tenant, held.length])), free);
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

/**
 * The room for long checks. One of its places is brief, so that the checks of most tenants find room soon, however long those
 * of a few others take. A lane without room has its next turn when another gives some back.
 */
function createLongRooms(turns: Pick<Turns, 'add'>) {
  /** Whether each lane that waits is content with a brief place. */
  const blocked = new Map<() => CheckLane, boolean>();
  const free = { lasting: LONG_CHECKS_MAX - 1, brief: 1 };
  const of = (lane: () => CheckLane): LongRoom => ({
    take: ({ workMs }) => {
      const isBrief = workMs < BRIEF_WORK_MS;
      const place = free.lasting > 0 ? 'lasting' : isBrief && free.brief > 0 ? 'brief' : null;
      if (place === null) blocked.set(lane, isBrief);
      else free[place] -= 1;
      return place;
    },
    give: (place) => {
      free[place] += 1;
      for (const each of blocked.keys()) turns.add(each());
      blocked.clear();
    },
    isBriefWanted: () => [...blocked.values()].includes(true),
  });
  return { of };
}
