import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { findCorruption, openSql, type Sql } from '../service/open-database.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import {
  auditAccounts,
  auditChain,
  auditEnds,
  auditIdentities,
  auditSummary,
  type EndedLoad,
  type LoadFaults,
} from './audit.ts';
import { type LoaderHooks, makeLoad } from './loader.ts';
import { draftOf, drawLoad, EMPTY_WORLD, type SourceWorld } from './planned-load.ts';

const LEASE_MS = 500;
const SOURCES = ['s1', 's2'];
const KILL_PAUSE_MS = { min: 50, spread: 250 };
/** On a busy machine a load is not claimed at once. */
const CLAIM_MS_MAX = 15_000;
/** The service gives a load up after so many attempts in a row that stored nothing. */
const ATTEMPTS_MAX = 5;
/** On any machine, some of this many kills hit a worker inside of a load. */
const KILLS_THAT_MEET_WORK = 20;

/** L1: no load is applied twice or in half when processes are killed while it is sent and applied, and each ends once. */
export const killsInLoads: Campaign = {
  id: 'L1',
  title: 'API and worker killed in the middle of loads',
  unit: 'kills',
  full: 30,
  short: 6,
  engines: ['sqlite', 'postgres'],
  run: (run) => killInLoads(run),
  control: async (run) => {
    const { counts, broken } = await killInLoads(run, plantLosses);
    const sawAll = ['applied twice', 'applied in half', 'ended twice'].every((kind) => Number(counts[kind]) > 0);
    return { counts, broken: sawAll ? broken : [] };
  },
};

/** What a control does at the loads of a source, by their numbers. */
type Plant = (number: number, sql: Sql) => LoaderHooks;

async function killInLoads(run: CampaignRun, plant: Plant = () => ({})): Promise<Outcome> {
  const env = () => ({ CHECK_LEASE_MS: String(LEASE_MS) });
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 2, env });
  await fleet.root.accessModel.import(
    SOURCES.map((id) => ({ kind: 'source', id, name: id, authoritative: true, deleteThresholdPercent: 100 })),
  );
  await using sql = await openSql(fleet.database);
  const stopping = new AbortController();
  const loading = SOURCES.map((source, at) =>
    loadOneByOne(fleet, { run, source, at, sql, plant, stopping: stopping.signal }),
  );
  const ended = Promise.all(loading);
  const killedAt: ClaimedLoad[] = [];
  try {
    await Promise.race([
      ended,
      repeatAttack({ ...run, pauseMs: KILL_PAUSE_MS }, async (random, number) => {
        let claimed: readonly ClaimedLoad[] = [];
        const isClaimed = async () => {
          claimed = await readClaimed(sql);
          return canKill(claimed);
        };
        await waitUntil(isClaimed, { msMax: CLAIM_MS_MAX, everyMs: 5, signal: run.signal });
        const killsWorker = number % 2 === 0;
        await drawOne(random, killsWorker ? fleet.workers : fleet.apis).replace('SIGKILL');
        if (killsWorker) killedAt.push(...claimed);
      }),
    ]);
  } finally {
    stopping.abort();
  }
  const sources = await ended;
  await fleet.becomesReady();
  return await audit(run, { fleet, sql, sources, killedAt });
}

interface LoadedSource {
  readonly source: string;
  readonly world: SourceWorld;
  readonly ended: readonly EndedLoad[];
  /** Differences of its accounts after a load. */
  readonly differing: readonly string[];
  readonly unanswered: number;
}

/** Makes loads of one source until it is to stop, and compares its accounts after each. */
async function loadOneByOne(
  fleet: Fleet,
  {
    run,
    source,
    at,
    sql,
    plant,
    stopping,
  }: {
    readonly run: CampaignRun;
    readonly source: string;
    readonly at: number;
    readonly sql: Sql;
    readonly plant: Plant;
    readonly stopping: AbortSignal;
  },
): Promise<LoadedSource> {
  const random = createRandom(run.seed + at);
  const clients = fleet.connect({ retries: 0 });
  const ended: EndedLoad[] = [];
  const differing: string[] = [];
  let world = EMPTY_WORLD;
  let unanswered = 0;
  const loader = {
    source,
    clients,
    random,
    signal: run.signal,
    draft: draftOf(source),
    onFailure: () => void unanswered++,
  };
  for (let number = 1; !stopping.aborted || number <= LOADS_MIN; number++) {
    const plan = drawLoad(random, source, number, world);
    const load = await makeLoad({ ...loader, hooks: plant(number, sql) }, plan);
    world = plan.after;
    ended.push({ plan, load });
    differing.push(...(await auditAccounts(fleet.root, source, world)).map((text) => `after ${load.loadId}, ${text}`));
  }
  return { source, world, ended, differing, unanswered };
}

/** Of each source, however few kills there are. */
const LOADS_MIN = 2;

/** A load that a worker has claimed. */
interface ClaimedLoad {
  readonly loadId: string;
  readonly fence: number;
  readonly attempts: number;
}

const readClaimed = async (sql: Sql): Promise<readonly ClaimedLoad[]> =>
  (await sql.run(`select load_id, fence, attempts from source_load where state = 'RUNNING' and attempts > 0`)).map(
    (row) => ({
      loadId: String(row['load_id']),
      fence: Number(row['fence']),
      attempts: Number(row['attempts']),
    }),
  );

/** Whether there is a load to kill workers in, and none that one more kill would end. */
const canKill = (claimed: readonly ClaimedLoad[]): boolean =>
  claimed.length > 0 && claimed.every(({ attempts }) => attempts < ATTEMPTS_MAX - 1);

async function audit(
  { count }: CampaignRun,
  {
    fleet,
    sql,
    sources,
    killedAt,
  }: {
    readonly fleet: Fleet;
    readonly sql: Sql;
    readonly sources: readonly LoadedSource[];
    readonly killedAt: readonly ClaimedLoad[];
  },
): Promise<Outcome> {
  const ended = sources.flatMap((each) => each.ended);
  const faults: LoadFaults = { twice: [], half: [], wrong: [] };
  for (const each of ended) auditSummary(each, faults);
  const differing = sources.flatMap((each) => each.differing);
  for (const {
    source,
    world,
    ended: { length: loads },
  } of sources)
    differing.push(...(await auditIdentities(fleet.root, source, { world, loads })));
  const ends = await auditEnds(fleet.root, ended);
  const met = await countTakenOver(sql, killedAt);
  const corrupt = fleet.database.path === null ? [] : await findCorruption(sql);
  return {
    counts: {
      kills: count,
      'workers killed in a load': met,
      loads: ended.length,
      parts: ended.reduce((sum, { plan }) => sum + plan.parts.length, 0),
      'dry runs': ended.filter(({ plan }) => plan.dryRun).length,
      refused: ended.filter(({ plan }) => plan.state === 'REFUSED').length,
      'calls without an answer': sources.reduce((sum, { unanswered }) => sum + unanswered, 0),
      'applied twice': faults.twice.length,
      'applied in half': faults.half.length,
      'ended twice': ends.length,
      differences: differing.length,
    },
    broken: [
      ...summed('loads applied twice', faults.twice),
      ...summed('loads applied in half', faults.half),
      ...summed('wrong ends of loads', faults.wrong),
      ...summed('loads that have not ended once', ends),
      ...summed('differences of accounts and identities', differing),
      ...(await auditChain(fleet.root)),
      ...summed('failures of the file', corrupt),
      ...(met === 0 && count >= KILLS_THAT_MEET_WORK
        ? ['no worker was killed inside of a load: nothing is proven']
        : []),
      ...fleet.crashes(),
    ],
  };
}

/** How many claims ended with the worker that was killed meanwhile: another one claimed the load again. Its end, too, raises the fence. */
async function countTakenOver(sql: Sql, killedAt: readonly ClaimedLoad[]): Promise<number> {
  const rows = await sql.run(`select load_id, fence from source_load where state in ('SUCCESS', 'REFUSED')`);
  const last = new Map(rows.map((row) => [String(row['load_id']), Number(row['fence'])]));
  const met = killedAt.filter(({ loadId, fence }) => (last.get(loadId) ?? 0) > fence + 1);
  return new Set(met.map(({ loadId, fence }) => `${loadId} ${fence}`)).size;
}

/** Plants acknowledged parts that are lost before their load is committed, and loads that are applied, and end, a second time. */
const plantLosses: Plant = (number, sql) => {
  const isRunning = async (loadId: string) =>
    (await sql.texts(`select state from source_load where load_id = '${loadId}'`))[0] === 'RUNNING';
  if (number % 2 === 0)
    return {
      beforeCommit: async (loadId) =>
        void (await sql.run(`delete from source_load_part where load_id = '${loadId}' and part = 3`)),
    };
  return {
    afterEnd: async (loadId) => {
      await sql.run(
        `update source_load set state = 'RUNNING', completed = null, attempts = 0, claimable_at_ms = 0, due_ms = null,
          progress = '{"step":1,"part":0,"piece":0}' where load_id = '${loadId}' and state = 'SUCCESS'`,
      );
      await waitUntil(async () => !(await isRunning(loadId)), { msMax: CLAIM_MS_MAX });
    },
  };
};
