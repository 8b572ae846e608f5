import { setTimeout as delay } from 'node:timers/promises';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { audit } from '../load/audit.ts';
import { BALLAST, COMPANY, LONG_GRANT } from '../load/company.ts';
import { type Customers, customerRecords, startCustomers } from '../load/customers.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { openSql, type Sql } from '../service/open-sql.ts';

const CUSTOMERS = 8;
const LEASE_MS = 500;
/** Of so many some find a worker with checks in hand, on any machine. */
const KILLS_THAT_MEET_WORK = 100;
/** Few, so that the clients work rather than wait. */
const RETRIES = 1;
/** Between two kills, at least: three to four a second. */
const PAUSE_MS = { min: 120, spread: 260 };
/** Where the machine is busy no process would else live long enough to answer anything. */
const WORK_MS_MAX = 10_000;
const POLL_MS = 5;

/** F1: whoever was told 202, 200 or 201 finds what was accepted, however often processes are killed. */
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

async function killUnderLoad(
  run: CampaignRun,
  tamper: (customers: Customers, sql: Sql) => Promise<void>,
): Promise<Outcome> {
  const { engine, seed, count, signal } = run;
  await using fleet = await openFleet(engine, {
    apis: 2,
    workers: 2,
    env: () => ({ CHECK_LEASE_MS: String(LEASE_MS) }),
  });
  await using sql = await openSql(fleet.database);
  const clients = fleet.apis.map((api) => fleet.connect(api));
  await clients[0]?.accessModel.import([...COMPANY, ...BALLAST, ...customerRecords(CUSTOMERS)]);
  const own = Array.from({ length: CUSTOMERS }, (_, at) => fleet.connect(drawApi(fleet, at), RETRIES));
  const customers = startCustomers(own, { seed, pauseMs: 10, writes: 30, grant: LONG_GRANT });
  try {
    await kill(fleet, customers, run);
  } finally {
    await customers.stop();
  }
  await fleet.becomesReady();
  await tamper(customers, sql);
  const { ledger, countedWrites, registered, answered, failures } = customers;
  const seen = await audit(customers, { clients, sql, signal });
  const integrity = fleet.database.path === null ? [] : await sql.run('pragma integrity_check');
  const unsound = integrity.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok');
  const acknowledged = countedWrites.reduce((sum, each) => sum + each.answered, registered.length);
  return {
    counts: {
      kills: count,
      calls: answered + failures.length,
      'failed calls': failures.length,
      'acknowledged checks': ledger.acknowledged.size,
      'acknowledged writes': acknowledged,
      'checks in the database': seen.rows,
      'taken over': seen.takenOver,
      lost: seen.lost,
      'duplicate results': seen.changed,
      'without result': seen.withoutResult,
    },
    broken: [
      ...seen.broken,
      ...summed('faults of the file', unsound),
      ...summed('processes fallen', fleet.crashed),
      ...(seen.takenOver === 0 && count >= KILLS_THAT_MEET_WORK
        ? ['no worker was killed with checks in hand: nothing is proven']
        : []),
      ...(ledger.acknowledged.size < count ? ['too little was acknowledged between the kills to prove anything'] : []),
    ],
  };
}

const drawApi = ({ apis }: Fleet, at: number) => drawOne(() => at % apis.length, apis);

/** API and worker in turn, which of them and when by the dice, but with a check acknowledged between two kills. */
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

/** What a lost check, a result that changes and a lost write would look like. */
async function plantLosses({ ledger, countedWrites }: Customers, sql: Sql): Promise<void> {
  const open = new Set(ledger.open());
  const [missing, changed] = [...ledger.acknowledged.keys()].filter((requestId) => !open.has(requestId));
  await sql.run(`delete from sod_check where request_id = '${missing}'`);
  await sql.run(`update sod_check set completed = '2020-01-01T00:00:00.000Z' where request_id = '${changed}'`);
  const written = countedWrites.find(({ name, acknowledged }) => name.endsWith(' name') && acknowledged > 0);
  await sql.run(`update identity set display_name = '0' where id = '${written?.name.split(' ')[0]}'`);
}
