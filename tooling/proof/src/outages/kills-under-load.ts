import { setTimeout as delay } from 'node:timers/promises';
import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { attackUnderLoad, type Tamper } from '../load/attack-under-load.ts';
import { BALLAST, LONG_GRANT } from '../load/company.ts';
import type { Customers } from '../load/customers.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';

const CUSTOMERS = 8;
const LEASE_MS = 500;
/** On any machine, some of this many kills hit a worker with claimed checks. */
const KILLS_THAT_MEET_WORK = 100;
/** One retry only, so that clients spend little time waiting. */
const RETRIES = 1;
/** Pause between two kills: three to four a second. */
const PAUSE_MS = { min: 120, spread: 260 };
/** On a busy machine a process would otherwise be killed before its first answer. */
const WORK_MS_MAX = 10_000;
const POLL_MS = 5;

/** F1: no acknowledged write or check is lost when processes are killed repeatedly. */
export const killsUnderLoad: Campaign = {
  id: 'F1',
  title: 'API and worker killed under load',
  unit: 'kills',
  full: 200,
  short: 30,
  engines: ['sqlite', 'postgres'],
  run: (run) => killUnderLoad(run, async () => {}),
  control: async (run) => {
    const { counts, broken } = await killUnderLoad(run, plantLosses);
    const sawAll = Number(counts['lost']) >= 2 && counts['duplicate results'] === 1;
    return { counts, broken: sawAll ? broken : [] };
  },
};

async function killUnderLoad(run: CampaignRun, tamper: Tamper): Promise<Outcome> {
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS) });
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2, env });
  const { customers, counts, broken } = await attackUnderLoad(run, fleet, {
    ...{ customers: CUSTOMERS, pauseMs: 10, writes: 30, grant: LONG_GRANT, records: BALLAST, tamper },
    connect: (at) => fleet.connect(fleet.apis[at % 2] ?? fleet.api, RETRIES),
    attack: (customers) => kill(fleet, customers, run),
  });
  const metNoWork = counts['taken over'] === 0 && run.count >= KILLS_THAT_MEET_WORK;
  return {
    counts: { kills: run.count, ...counts },
    broken: [
      ...broken,
      ...(metNoWork ? ['no worker was killed with claimed checks: nothing is proven'] : []),
      ...(customers.ledger.acknowledged.size < run.count ? ['too few checks were acknowledged between the kills'] : []),
    ],
  };
}

/** Kills API and worker in turn at random times; at least one check is acknowledged between two kills. */
async function kill(
  { apis, workers }: Fleet,
  { ledger }: Customers,
  { seed, count, log, signal }: CampaignRun,
): Promise<void> {
  const random = createRandom(seed);
  for (let kills = 0, before = 0; kills < count; kills++) {
    await delay(PAUSE_MS.min + random(PAUSE_MS.spread), undefined, { signal });
    const latestMs = performance.now() + WORK_MS_MAX;
    while (ledger.acknowledged.size === before && performance.now() < latestMs)
      await delay(POLL_MS, undefined, { signal });
    before = ledger.acknowledged.size;
    await drawOne(random, kills % 2 === 0 ? apis : workers).replace('SIGKILL');
    if ((kills + 1) % 50 === 0) log(`${kills + 1} kills`);
  }
}

/** Plants a lost check, a changed result and a lost write. */
const plantLosses: Tamper = async ({ ledger, countedWrites }, sql) => {
  const open = new Set(ledger.open());
  const [missing, changed] = [...ledger.acknowledged.keys()].filter((requestId) => !open.has(requestId));
  await sql.run(`delete from sod_check where request_id = '${missing}'`);
  await sql.run(`update sod_check set completed = '2020-01-01T00:00:00.000Z' where request_id = '${changed}'`);
  const written = countedWrites.find(({ name, acknowledged }) => name.endsWith(' name') && acknowledged > 0);
  await sql.run(`update identity set display_name = '0' where id = '${written?.name.split(' ')[0]}'`);
};
