import { setTimeout as delay } from 'node:timers/promises';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom } from '../campaign/random.ts';
import { attackUnderLoad } from '../load/attack-under-load.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';

const CUSTOMERS = 50;
/** Work between two restarts, so that the clients are back on both replicas. */
const PAUSE_MS = { min: 500, spread: 1_000 };

/** G1: no call of the SDK with its defaults fails during a rolling restart. */
export const rollingRestarts: Campaign = {
  id: 'G1',
  title: 'rolling restarts under 50 SDK clients',
  unit: 'restarts',
  full: 50,
  short: 4,
  engines: ['sqlite', 'postgres'],
  run: (run) => restartUnderLoad(run, 'SIGTERM'),
  // SIGKILL leaves no time to finish requests in progress.
  control: (run) => restartUnderLoad(run, 'SIGKILL'),
};

async function restartUnderLoad(run: CampaignRun, ending: NodeJS.Signals): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2 });
  const apiAwayMs: number[] = [];
  const badEndings: string[] = [];
  const { customers, counts, broken } = await attackUnderLoad(run, fleet, {
    ...{ customers: CUSTOMERS, pauseMs: 200, longPauseMs: 3_000, writes: 15, burst: 1 },
    attack: async () => {
      for await (const { name, kind, awayMs, code } of restarts(fleet, run, ending)) {
        if (kind === 'apis') apiAwayMs.push(awayMs);
        if (ending === 'SIGTERM' && code !== 0) badEndings.push(`${name} ended with ${code}`);
      }
    },
  });
  return {
    counts: {
      ...{ 'API restarts': run.count, 'worker restarts': run.count },
      'ms until the API is ready again': `${median(apiAwayMs)} (up to ${Math.round(Math.max(...apiAwayMs))})`,
      ...counts,
    },
    broken: [
      ...summed('calls failed', customers.failures.map(String)),
      ...broken,
      ...summed('processes stopped badly', badEndings),
    ],
  };
}

/** Replaces one process after the other, an API and then a worker; each is ready before the next one ends. */
async function* restarts(fleet: Fleet, { seed, count, log, signal }: CampaignRun, ending: NodeJS.Signals) {
  const random = createRandom(seed);
  for (let number = 0; number < count; number++) {
    for (const kind of ['apis', 'workers'] as const) {
      await delay(PAUSE_MS.min + random(PAUSE_MS.spread), undefined, { signal });
      const slot = fleet[kind][number % 2] ?? fleet.api;
      const startMs = performance.now();
      const { code, signal: by } = await slot.replace(ending);
      await fleet.becomesReady();
      yield { name: slot.name, kind, awayMs: performance.now() - startMs, code: code ?? by };
    }
    if ((number + 1) % 10 === 0) log(`${number + 1} restarts`);
  }
}

const median = (values: readonly number[]): number =>
  Math.round([...values].sort((left, right) => left - right)[values.length >> 1] ?? 0);
