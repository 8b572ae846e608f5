import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawOne } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { attackUnderLoad, type Tamper } from '../load/attack-under-load.ts';
import { BALLAST, LONG_GRANT } from '../load/company.ts';
import { openRegisterLoad, plantMistold } from '../register/register-under-load.ts';
import { awaitAttemptsLeft } from '../service/claimed-checks.ts';
import { openSql } from '../service/open-database.ts';
import { openFleet } from '../service/open-fleet.ts';
import { openNodes } from '../service/open-nodes.ts';

const LEASE_MS = 500;
/** On any machine, some of this many kills hit a worker with claimed checks. */
const KILLS_THAT_MEET_WORK = 100;
/** Three to four kills a second. */
const KILL_PAUSE_MS = { min: 120, spread: 260 };
/** On a busy machine a process would otherwise be killed before its first answer. */
const WORK_MS_MAX = 10_000;
/** The longest pause between two changes of what violations depend on, through each API. */
const CHANGE_PAUSE_MS = 40;
/** Work between two restarts, so that the clients are back on both replicas. */
const RESTART_PAUSE_MS = { min: 500, spread: 1_000 };

/** F1: no acknowledged write, check or event is lost or doubled when processes are killed repeatedly. */
export const killsUnderLoad: Campaign = {
  id: 'F1',
  title: 'API and worker killed under load',
  unit: 'kills',
  full: 200,
  short: 16,
  engines: ['sqlite', 'postgres', 'citus'],
  run: (run) => killUnderLoad(run),
  control: async (run) => {
    const { counts, broken } = await killUnderLoad(run, plantLosses);
    const sawEvents = Number(counts['lost events']) > 0 && Number(counts['doubled events']) > 0;
    const sawAll = Number(counts['lost']) >= 2 && counts['duplicate results'] === 1 && sawEvents;
    return { counts, broken: sawAll ? broken : [] };
  },
};

/** G1: no call of the SDK with its defaults fails during a rolling restart. */
export const rollingRestarts: Campaign = {
  id: 'G1',
  title: 'rolling restarts under 50 SDK clients',
  unit: 'restarts',
  full: 50,
  // Each process of the fleet once.
  short: 2,
  measuresTime: true,
  engines: ['sqlite', 'postgres'],
  run: (run) => restartUnderLoad(run, 'SIGTERM'),
  // SIGKILL leaves no time to finish requests in progress.
  control: (run) => restartUnderLoad(run, 'SIGKILL'),
};

/** Kills API and worker in turn at random times; at least one check is acknowledged between two kills. */
async function killUnderLoad(run: CampaignRun, tamper?: Tamper): Promise<Outcome> {
  await using registerLoad = await openRegisterLoad();
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS), ...registerLoad.env });
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2, env });
  const nodes = run.engine === 'citus' ? await openNodes(fleet.database.url) : null;
  await using register = await registerLoad.start(fleet, run, { pauseMs: CHANGE_PAUSE_MS });
  const { customers, counts, broken } = await attackUnderLoad(run, fleet, {
    customers: 8,
    pauseMs: 10,
    writes: 30,
    grant: LONG_GRANT,
    records: BALLAST,
    // One retry only, so that clients spend little time waiting.
    client: { retries: 1 },
    tamper: async (customers, sql) => {
      await register.stop();
      await tamper?.(customers, sql);
    },
    attack: async ({ ledger: { acknowledged } }) => {
      await using sql = await openSql(fleet.database);
      let before = 0;
      await repeatAttack({ ...run, pauseMs: KILL_PAUSE_MS }, async (random, number) => {
        await waitUntil(() => acknowledged.size > before, { msMax: WORK_MS_MAX, everyMs: 5, signal: run.signal });
        before = acknowledged.size;
        await awaitAttemptsLeft(sql, WORK_MS_MAX);
        // The sessions of a node end, and with them what it has not committed.
        if (nodes !== null && number % 3 === 2) return void (await nodes.terminateSessions(random));
        await drawOne(random, number % 2 === 0 ? fleet.apis : fleet.workers).replace('SIGKILL');
      });
    },
  });
  const metNoWork = counts['taken over'] === 0 && run.count >= KILLS_THAT_MEET_WORK;
  const kept = await register.audit(customers.ledger.acknowledged.keys());
  const prepared = (await nodes?.countPrepared()) ?? 0;
  return {
    counts: {
      kills: run.count,
      ...counts,
      ...kept.counts,
      ...(nodes !== null && { 'prepared transactions': prepared }),
    },
    broken: [
      ...broken,
      ...(prepared > 0 ? [`${prepared} transactions were prepared on the nodes`] : []),
      ...kept.broken,
      ...(metNoWork ? ['no worker was killed with claimed checks: nothing is proven'] : []),
      ...(customers.ledger.acknowledged.size < run.count ? ['too few checks were acknowledged between the kills'] : []),
    ],
  };
}

/** Plants a lost check, a changed result, a lost write, and an event that is told twice in place of another. */
const plantLosses: Tamper = async ({ ledger, countedWrites }, sql) => {
  const open = new Set(ledger.open());
  const [missing, changed] = [...ledger.acknowledged.keys()].filter((requestId) => !open.has(requestId));
  await sql.run(`delete from sod_check where request_id = '${missing}'`);
  // Its event reads it.
  await sql.run(`update event set data = '{}' where resource_id = '${missing}'`);
  await sql.run(`update sod_check set completed = '2020-01-01T00:00:00.000Z' where request_id = '${changed}'`);
  const written = countedWrites.find(({ name, acknowledged }) => name.endsWith(' name') && acknowledged > 0);
  await sql.run(`update identity set display_name = '0' where id = '${written?.name.split(' ')[0]}'`);
  await plantMistold(sql);
};

/** Replaces an API and a worker in turn; each is ready before the next one ends. */
async function restartUnderLoad(run: CampaignRun, ending: NodeJS.Signals): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2 });
  const slots = fleet.apis.flatMap((api, at) => [api, ...fleet.workers.slice(at, at + 1)]);
  const apiAwayMs: number[] = [];
  const badEndings: string[] = [];
  const { customers, counts, broken } = await attackUnderLoad(run, fleet, {
    customers: 50,
    pauseMs: 200,
    longPauseMs: 3_000,
    writes: 15,
    burst: 1,
    attack: () =>
      repeatAttack({ ...run, count: 2 * run.count, pauseMs: RESTART_PAUSE_MS }, async (_, number) => {
        const slot = drawOne(() => number % slots.length, slots);
        const startMs = performance.now();
        const { code, signal } = await slot.replace(ending);
        await fleet.becomesReady();
        if (number % 2 === 0) apiAwayMs.push(Math.round(performance.now() - startMs));
        if (ending === 'SIGTERM' && code !== 0) badEndings.push(`${slot.name} ended with ${code ?? signal}`);
      }),
  });
  apiAwayMs.sort((left, right) => left - right);
  return {
    counts: {
      'API restarts': run.count,
      'worker restarts': run.count,
      'ms until the API is ready again': `${apiAwayMs[apiAwayMs.length >> 1]} (up to ${apiAwayMs.at(-1)})`,
      ...counts,
    },
    broken: [
      ...summed('calls failed', customers.failures.map(String)),
      ...broken,
      ...summed('processes stopped badly', badEndings),
    ],
  };
}
