import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawOne, type Random } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { attackUnderLoad, type Tamper } from '../load/attack-under-load.ts';
import { RESULT_MS_MAX } from '../load/audit.ts';
import { BALLAST } from '../load/company.ts';
import { type Customers, sendBurst } from '../load/customers.ts';
import { awaitClaims, awaitPending, readClaims } from '../service/claimed-checks.ts';
import { type Clocks, openClocks } from '../service/clocks.ts';
import { openSql, type Sql } from '../service/open-database.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { signalAll } from '../service/process-slot.ts';

const CUSTOMERS = 6;
const LEASE_MS = 1_000;
/** Checks flow for this long between two jumps. */
const PAUSE_MS = { min: 1_500, spread: 1 };
const BURST = 60;
const TRIES_MAX = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `null` undoes earlier jumps, so that a clock that was ahead jumps back. */
const JUMPS = [
  { name: '−1 h', byMs: -HOUR_MS },
  { name: '+1 h', byMs: HOUR_MS },
  { name: '+400 d', byMs: 400 * DAY_MS },
  { name: 'the right time', byMs: null },
  // The queue cannot distinguish so small a jump from a valid lease: checks of a dead worker have to wait.
  { name: '−8 s', byMs: -8_000 },
] as const;

/** F8: each check ends once although clocks jump, and callers are not affected. */
export const clockJumps: Campaign = {
  id: 'F8',
  title: 'clocks jump by −1 h, +1 h and +400 d while a worker dies',
  unit: 'jumps',
  full: 12,
  short: 3,
  engines: ['sqlite', 'postgres'],
  run: (run) => jumpUnderLoad(run),
  control: (run) => jumpUnderLoad(run, queueAgain),
};

async function jumpUnderLoad(run: CampaignRun, tamper?: Tamper): Promise<Outcome> {
  using clocks = openClocks();
  const env = (name: string) => ({ CHECK_LEASE_MS: String(LEASE_MS), ...clocks.envOf(name) });
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2, env });
  const waits: string[] = [];
  const { customers, counts, broken } = await attackUnderLoad(run, fleet, {
    customers: CUSTOMERS,
    pauseMs: 20,
    writes: 10,
    records: BALLAST,
    clocksJump: true,
    tamper,
    attack: async (customers) => {
      await using sql = await openSql(fleet.database);
      await repeatAttack({ ...run, pauseMs: PAUSE_MS }, async (random, number) => {
        const { name, byMs } = drawOne(() => number % JUMPS.length, JUMPS);
        const wait = `${name} ${await jumpOnce({ fleet, clocks, customers, sql }, byMs, random)}`;
        waits.push(wait);
        return wait;
      });
    },
  });
  const fates = { 'as what became of the checks of a dead worker': waits.join('; ') };
  return {
    counts: { jumps: waits.length, ...fates, ...counts },
    broken: [...broken, ...summed('calls failed', customers.failures.map(String))],
  };
}

interface Scene {
  readonly fleet: Fleet;
  readonly clocks: Clocks;
  readonly customers: Customers;
  readonly sql: Sql;
}

/**
 * Lets some clocks jump and kills a worker with claimed checks, which the other workers have to take over. Resolves with
 * how many checks were left behind, and for how long.
 */
async function jumpOnce(
  { fleet, clocks, customers, sql }: Scene,
  byMs: number | null,
  random: Random,
): Promise<string> {
  const victim = drawOne(random, fleet.workers);
  const others = fleet.workers.filter((worker) => worker !== victim);
  const jumping = [...fleet.apis, ...fleet.workers].filter(() => random(3) > 0);
  const clients = fleet.connect();
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    signalAll(others, 'SIGSTOP');
    const sent = sendBurst(clients, customers.ledger, BURST);
    await awaitClaims(sql);
    for (const { name } of tries === 0 ? jumping : []) clocks.jump(name, byMs);
    await victim.replace('SIGKILL');
    const { length: leftBehind } = await readClaims(sql);
    const startMs = performance.now();
    signalAll(others, 'SIGCONT');
    for (const end of await sent) if (end.status === 'rejected') throw end.reason;
    const stuck = await awaitPending(sql, RESULT_MS_MAX);
    if (stuck > 0) throw new Error(`${stuck} checks are stuck`);
    if (leftBehind > 0) return `${leftBehind} in ${Math.round(performance.now() - startMs)} ms`;
  }
  throw new Error('no worker could be caught with claimed checks');
}

/** Plants a completed check that is processed a second time. */
const queueAgain: Tamper = async ({ ledger }, sql) => {
  const open = new Set(ledger.open());
  const requestId = [...ledger.acknowledged.keys()].find((each) => !open.has(each));
  await sql.run(
    `update sod_check set state = 'PENDING', completed = null, result = null, claimable_at_ms = 0 where request_id = '${requestId}'`,
  );
};
