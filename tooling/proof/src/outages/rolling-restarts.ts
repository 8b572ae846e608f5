import { setTimeout as delay } from 'node:timers/promises';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { audit } from '../load/audit.ts';
import { COMPANY } from '../load/company.ts';
import { customerRecords, startCustomers } from '../load/customers.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { openSql } from '../service/open-sql.ts';

const CUSTOMERS = 50;
/** Of work between two restarts, so that the clients are back on both replicas. */
const PAUSE_MS = { min: 500, spread: 1_000 };

/** G1: who uses the SDK as it comes does not notice a rolling restart. */
export const rollingRestarts: Campaign = {
  id: 'G1',
  title: 'rolling restarts under 50 SDK clients',
  unit: 'restarts',
  full: 50,
  short: 4,
  engines: ['sqlite', 'postgres'],
  run: (run) => restart(run, 'SIGTERM'),
  // Without the time to finish what is in hand.
  control: (run) => restart(run, 'SIGKILL'),
};

async function restart(run: CampaignRun, ending: NodeJS.Signals): Promise<Outcome> {
  const { engine, seed, count, signal } = run;
  await using fleet = await openFleet(engine, { apis: 2, workers: 2 });
  await using sql = await openSql(fleet.database);
  const clients = fleet.apis.map((api) => fleet.connect(api));
  await clients[0]?.accessModel.import([...COMPANY, ...customerRecords(CUSTOMERS)]);
  const own = Array.from({ length: CUSTOMERS }, (_, at) => fleet.connect(drawOne(() => at % 2, fleet.apis)));
  const customers = startCustomers(own, { seed, pauseMs: 200, longPauseMs: 3_000, writes: 15, burst: 1 });
  let rolled: Rolled;
  try {
    rolled = await roll(fleet, run, ending);
  } finally {
    await customers.stop();
  }
  const seen = await audit(customers, { clients, sql, signal });
  const { answered, failures, ledger } = customers;
  return {
    counts: {
      'API restarts': count,
      'worker restarts': count,
      'ms until the API is ready again': `${median(rolled.apiAwayMs)} (up to ${Math.round(Math.max(...rolled.apiAwayMs))})`,
      calls: answered + failures.length,
      'failed calls': failures.length,
      'acknowledged checks': ledger.acknowledged.size,
      lost: seen.lost,
      'without result': seen.withoutResult,
    },
    broken: [
      ...summed('calls failed', failures.map(String)),
      ...seen.broken,
      ...summed('processes stopped badly', rolled.badEndings),
      ...summed('processes fallen', fleet.crashed),
    ],
  };
}

interface Rolled {
  /** From the signal until the next process on the port is ready. */
  readonly apiAwayMs: readonly number[];
  readonly badEndings: readonly string[];
}

/** One process after the other, an API and then a worker, each replaced before the next is told to end. */
async function roll(fleet: Fleet, { seed, count, log, signal }: CampaignRun, ending: NodeJS.Signals): Promise<Rolled> {
  const random = createRandom(seed);
  const apiAwayMs: number[] = [];
  const badEndings: string[] = [];
  for (let restarts = 0; restarts < count; restarts++) {
    for (const slots of [fleet.apis, fleet.workers]) {
      await delay(PAUSE_MS.min + random(PAUSE_MS.spread), undefined, { signal });
      const slot = drawOne(() => restarts % 2, slots);
      const startMs = performance.now();
      const { code, signal: by } = await slot.replace(ending);
      if (ending === 'SIGTERM' && code !== 0) badEndings.push(`${slot.name} ended with ${by ?? code}`);
      await fleet.becomesReady();
      if (slots === fleet.apis) apiAwayMs.push(performance.now() - startMs);
    }
    if ((restarts + 1) % 10 === 0) log(`${restarts + 1} restarts`);
  }
  return { apiAwayMs, badEndings };
}

const median = (values: readonly number[]): number =>
  Math.round([...values].sort((left, right) => left - right)[values.length >> 1] ?? 0);
