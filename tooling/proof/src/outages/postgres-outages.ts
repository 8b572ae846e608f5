import { setTimeout as delay } from 'node:timers/promises';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { audit } from '../load/audit.ts';
import { COMPANY } from '../load/company.ts';
import { type Customers, customerRecords, startCustomers } from '../load/customers.ts';
import { connectTo } from '../service/connect-to.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { openSql, type Sql } from '../service/open-sql.ts';
import { awaitReadiness } from './await-readiness.ts';
import { FAULTS, type Target } from './postgres-faults.ts';
import { watchAnswers } from './watch-answers.ts';

const CUSTOMERS = 8;
const LOAD = { pauseMs: 60, writes: 30 };
const LEASE_MS = 1_000;
/** How long after the server went away, and after it came back, `/readyz` may still say the contrary. */
const UNREADY_MS_MAX = 1_000;
const READY_MS_MAX = 2_000;
/** Whatever happens to the database, a caller gets an answer. */
const ANSWER_MS_MAX = 10_000;
/** Of calm between two faults, and of being down. */
const CALM_MS = { min: 300, spread: 700 };
const DOWN_MS_SPREAD = 1_500;

/** The database goes away in every way that it can, under load. */
export const postgresOutages: Campaign = {
  id: 'F7',
  title: 'PostgreSQL restarted, killed, hanging, out of connections, connections terminated',
  unit: 'faults',
  full: 50,
  short: 6,
  engines: ['postgres'],
  run: (run) => disturb(run, async () => {}),
  control: (run) => disturb({ ...run, count: 1 }, plantLoss),
};

async function disturb(run: CampaignRun, tamper: (customers: Customers, sql: Sql) => Promise<void>): Promise<Outcome> {
  const { engine, seed, signal } = run;
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS) });
  await using fleet = await openFleet(engine, { apis: 2, workers: 2, env });
  const clients = fleet.apis.map(fleet.connect);
  await clients[0]?.accessModel.import([...COMPANY, ...customerRecords(CUSTOMERS)]);
  const answers = watchAnswers();
  const watched = await connectTo(fleet, null, { fetch: answers.fetch });
  const loaders = Array.from({ length: CUSTOMERS }, (_, at) => drawOne(() => at % watched.length, watched));
  const customers = startCustomers(loaders, { seed, ...LOAD });
  const random = createRandom(seed);
  const struck: string[] = [];
  const late: string[] = [];
  try {
    while (struck.length < run.count) {
      await delay(CALM_MS.min + random(CALM_MS.spread), undefined, { signal });
      const name = drawFault(random, struck);
      struck.push(name);
      late.push(...(await strike(fleet, random, name)));
      run.log(`${struck.length}: ${name}`);
    }
  } finally {
    await customers.stop();
  }
  await using sql = await openSql(fleet.database);
  await tamper(customers, sql);
  const doubled = await findDoubled(sql);
  const seen = await audit(customers, { clients, sql, signal });
  return {
    counts: {
      faults: struck.length,
      answers: answers.answered,
      'answered with 503': answers.deferred,
      'outcome unknown': answers.unknown,
      'failed calls': customers.failures.length,
      'slowest answer in ms': answers.slowestMs,
      'acknowledged checks': customers.ledger.acknowledged.size,
      'acknowledged writes': customers.countedWrites.reduce((sum, { answered }) => sum + answered, 0),
      'taken over': seen.takenOver,
      'stored twice': doubled.length,
      lost: seen.lost,
      'duplicate results': seen.changed,
      'without result': seen.withoutResult,
    },
    broken: [
      ...seen.broken,
      // Of one call, whose 503 said that nothing had been done.
      ...summed('checks stored twice', doubled),
      ...(answers.slowestMs > ANSWER_MS_MAX ? [`an answer took ${answers.slowestMs} ms`] : []),
      ...summed('processes fallen', fleet.crashed),
      ...summed('answers that nobody should get', answers.faults),
      ...summed('late changes of /readyz', late),
    ],
  };
}

async function findDoubled(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.run('select client_metadata from sod_check group by client_metadata having count(*) > 1');
  return rows.map((row) => String(row['client_metadata']));
}

/** Each kind once, in an order by the dice, then again. */
function drawFault(random: Random, struck: readonly string[]): string {
  const names = Object.keys(FAULTS);
  const round = struck.slice(struck.length - (struck.length % names.length));
  return drawOne(
    random,
    names.filter((name) => !round.includes(name)),
  );
}

/** Strikes, and watches how readiness follows; what was late in that. */
async function strike({ apis, database }: Fleet, random: Random, name: string): Promise<readonly string[]> {
  const { server, url } = database;
  const fault = FAULTS[name];
  if (server === null || fault === undefined) throw new Error('there is nothing to strike');
  const late: string[] = [];
  const whileDown: Target['whileDown'] = async () => {
    for (const api of await awaitReadiness(apis, false, UNREADY_MS_MAX))
      late.push(`${api} still ready, ${UNREADY_MS_MAX} ms after PostgreSQL was ${name}`);
    await delay(random(DOWN_MS_SPREAD));
  };
  await fault({ server, url, random, whileDown });
  for (const api of await awaitReadiness(apis, true, READY_MS_MAX))
    late.push(`${api} not ready, ${READY_MS_MAX} ms after it was over: ${name}`);
  return late;
}

/** What the loss of an acknowledged check would look like. */
async function plantLoss({ ledger }: Customers, sql: Sql): Promise<void> {
  const [missing] = ledger.acknowledged.keys();
  await sql.run(`delete from sod_check where request_id = '${missing}'`);
}
