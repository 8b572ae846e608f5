import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawOne } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { attackUnderLoad } from '../load/attack-under-load.ts';
import { openFleet } from '../service/open-fleet.ts';

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

/** Replaces an API and a worker in turn; each is ready before the next one ends. */
async function restartUnderLoad(run: CampaignRun, ending: NodeJS.Signals): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2 });
  const apiAwayMs: number[] = [];
  const badEndings: string[] = [];
  const slots = fleet.apis.flatMap((api, at) => [api, ...fleet.workers.slice(at, at + 1)]);
  const { customers, counts, broken } = await attackUnderLoad(run, fleet, {
    ...{ customers: CUSTOMERS, pauseMs: 200, longPauseMs: 3_000, writes: 15, burst: 1 },
    attack: () =>
      repeatAttack({ ...run, count: 2 * run.count, pauseMs: PAUSE_MS }, async (_, number) => {
        const slot = drawOne(() => number % slots.length, slots);
        const startMs = performance.now();
        const { code, signal } = await slot.replace(ending);
        await fleet.becomesReady();
        if (number % 2 === 0) apiAwayMs.push(performance.now() - startMs);
        if (ending === 'SIGTERM' && code !== 0) badEndings.push(`${slot.name} ended with ${code ?? signal}`);
      }),
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

const median = (values: readonly number[]): number =>
  Math.round([...values].sort((left, right) => left - right)[values.length >> 1] ?? 0);
