import { setTimeout as delay } from 'node:timers/promises';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawOne, type Random } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { attackUnderLoad, type Tamper } from '../load/attack-under-load.ts';
import { awaitReadiness } from '../service/await-readiness.ts';
import type { Sql } from '../service/open-database.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { watchAnswers } from '../service/watch-answers.ts';
import { FAULTS, type Target } from './postgres-faults.ts';

const CUSTOMERS = 8;
const LEASE_MS = 1_000;
/** How long `/readyz` may be wrong after the server stopped, and after it came back. */
const UNREADY_MS_MAX = 1_000;
const READY_MS_MAX = 2_000;
/** A caller gets an answer within this time, even without a database. */
const ANSWER_MS_MAX = 10_000;
/** Time between two faults, and of an outage. */
const PAUSE_MS = { min: 300, spread: 700 };
const DOWN_MS_SPREAD = 1_500;

/** F7: the database becomes unavailable in each of several ways, under load. */
export const postgresOutages: Campaign = {
  id: 'F7',
  title: 'PostgreSQL restarted, killed, hanging, out of connections, connections terminated',
  unit: 'faults',
  full: 50,
  short: 6,
  measuresTime: true,
  engines: ['postgres'],
  run: (run) => disturb(run),
  control: (run) => disturb({ ...run, count: 1 }, plantLoss),
};

async function disturb(run: CampaignRun, tamper?: Tamper): Promise<Outcome> {
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS) });
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2, env, hasOwnServer: true });
  const answers = watchAnswers();
  const late: string[] = [];
  let doubled: readonly string[] = [];
  const { counts, broken } = await attackUnderLoad(run, fleet, {
    customers: CUSTOMERS,
    pauseMs: 60,
    writes: 30,
    client: { fetch: answers.fetch },
    attack: () => {
      let left: readonly string[] = [];
      return repeatAttack({ ...run, pauseMs: PAUSE_MS }, async (random) => {
        // Each fault once per round, in random order.
        if (left.length === 0) left = Object.keys(FAULTS);
        const name = drawOne(random, left);
        left = left.filter((each) => each !== name);
        late.push(...(await strike(fleet, random, name)));
        return name;
      });
    },
    tamper: async (customers, sql) => {
      await tamper?.(customers, sql);
      doubled = await findDoubled(sql);
    },
  });
  return {
    counts: {
      faults: run.count,
      answers: answers.answered,
      'answered with 503': answers.deferred,
      'outcome unknown': answers.unknown,
      'slowest answer in ms': answers.slowestMs,
      ...counts,
      'stored twice': doubled.length,
    },
    broken: [
      ...broken,
      // Both come from one call, after a 503 that reported no change.
      ...summed('checks stored twice', doubled),
      ...(answers.slowestMs > ANSWER_MS_MAX ? [`an answer took ${answers.slowestMs} ms`] : []),
      ...summed('unexpected answers', answers.unexpected),
      ...summed('late changes of /readyz', late),
    ],
  };
}

async function findDoubled(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.run('select client_metadata from sod_check group by client_metadata having count(*) > 1');
  return rows.map((row) => String(row['client_metadata']));
}

/** Injects a fault, and returns the APIs with a late change of readiness. */
async function strike({ apis, database }: Fleet, random: Random, name: string): Promise<readonly string[]> {
  const { server, url } = database;
  const fault = FAULTS[name];
  if (server === null || fault === undefined) throw new Error(`${name} needs a server`);
  const late: string[] = [];
  const whileDown: Target['whileDown'] = async () => {
    for (const api of await awaitReadiness(apis, false, UNREADY_MS_MAX))
      late.push(`${api} still ready, ${UNREADY_MS_MAX} ms after PostgreSQL was ${name}`);
    await delay(random(DOWN_MS_SPREAD));
  };
  await fault({ server, url, random, whileDown });
  for (const api of await awaitReadiness(apis, true, READY_MS_MAX))
    late.push(`${api} not ready, ${READY_MS_MAX} ms after the end of: ${name}`);
  return late;
}

/** Plants the loss of an acknowledged check. */
const plantLoss: Tamper = async ({ ledger }, sql) => {
  const [missing] = ledger.acknowledged.keys();
  await sql.run(`delete from sod_check where request_id = '${missing}'`);
};
