import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { BystanderFigures } from '../bystander/figures.ts';
import type { BystanderData } from '../bystander/flows.ts';
import type { Campaign, CampaignRun, Engine, Outcome } from '../campaign/campaign.ts';
import { startThread } from '../campaign/start-thread.ts';
import { openFleet } from '../service/open-fleet.ts';
import { signalAll } from '../service/process-slot.ts';
import { COLLECTOR } from '../service/resident-memory.ts';
import { enlargedSample } from './attack-models.ts';
import { measureCalm, type PreparedRow, playRow, prepareRow, type Scene } from './play-row.ts';
import type { NeighbourRow } from './row.ts';
import { rowsOfCallers } from './rows-of-callers.ts';
import { rowsOfChecks } from './rows-of-checks.ts';
import { CLOSED_ORIGIN, rowsOfEvents } from './rows-of-events.ts';
import { rowsOfExceptions } from './rows-of-exceptions.ts';
import { rowsOfLists } from './rows-of-lists.ts';
import { rowsOfPredictions } from './rows-of-predictions.ts';
import { rowsOfReports } from './rows-of-reports.ts';
import { rowsOfSignIn } from './rows-of-sign-in.ts';
import { rowsOfSockets } from './rows-of-sockets.ts';

const ROWS: readonly NeighbourRow[] = [
  ...rowsOfChecks,
  ...rowsOfPredictions,
  ...rowsOfExceptions,
  ...rowsOfReports,
  ...rowsOfSockets,
  ...rowsOfCallers,
  ...rowsOfEvents,
  ...rowsOfLists,
  ...rowsOfSignIn,
].sort((left, right) => Number(left.id) - Number(right.id));

const HEAP_MIB = 512;
/** Shorter attacks are judged by rough limits and share one fleet. */
const WHOLE_SECONDS = 10;
/** How many times as many people as in the sample the bystander has: its scans must take long enough to be compared. */
const TIMES = { long: 40, short: 10 };
const BYSTANDER = 'bystander';
const BYSTANDER_FROM = '127.0.0.2';

const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

/** N1: whatever one tenant may ask for, another one does not feel it. */
export const neighbours: Campaign = {
  id: 'N1',
  title: 'one tenant attacks in sixteen ways, beside another at its daily work',
  unit: 'seconds',
  full: 25,
  short: 1,
  measuresTime: true,
  engines: ENGINES,
  parts: ROWS.map(({ id }) => id),
  run: (run) => playRows(run, ROWS),
  control: (run) => playRows(run, [pausedProcesses]),
};

/** The control: the processes stop for the whole attack. */
const pausedProcesses: NeighbourRow = {
  id: '0',
  title: 'processes that are paused',
  prepare: async ({ signal }, { apis, workers }) => ({
    least: { outcomes: {} },
    run: async () => {
      signalAll([...apis, ...workers], 'SIGSTOP');
      await once(signal, 'abort');
      signalAll([...apis, ...workers], 'SIGCONT');
    },
  }),
};

const isShort = ({ count }: CampaignRun): boolean => count < WHOLE_SECONDS;

/** The rows that are asked for. Otherwise a short run has every second row on one engine, by the seed, and the rest on the other. */
function rowsOf(run: CampaignRun, all: readonly NeighbourRow[]): readonly NeighbourRow[] {
  if (all.length === 1) return all;
  if (run.parts.length > 0) return all.filter(({ id }) => run.parts.includes(id));
  if (!isShort(run)) return all;
  const parity = (run.seed + ENGINES.indexOf(run.engine)) % 2;
  const own = all.filter(({ id }) => Number(id) % 2 === parity);
  run.log(`rows ${own.map(({ id }) => id).join(', ')}; the others are of the other engine`);
  return own;
}

async function playRows(run: CampaignRun, all: readonly NeighbourRow[]): Promise<Outcome> {
  const rows = rowsOf(run, all);
  const outcomes: Outcome[] = [];
  for (const together of isShort(run) ? [rows] : rows.map((row) => [row]))
    outcomes.push(await playOnFleet(run, together));
  return {
    counts: Object.assign({ rows: rows.length }, ...outcomes.map(({ counts }) => counts)),
    broken: outcomes.flatMap(({ broken }) => broken),
  };
}

async function playOnFleet(run: CampaignRun, rows: readonly NeighbourRow[]): Promise<Outcome> {
  const secretKey = randomBytes(32).toString('base64url');
  const env = () => ({
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} ${COLLECTOR}`,
    // So high that only attempts to log in, which have limits of their own, meet one.
    RATE_LIMIT: '999999999/10s',
    SECRET_KEY: secretKey,
    WEBHOOK_TARGETS: CLOSED_ORIGIN,
  });
  await using fleet = await openFleet(run.engine, { apis: 1, workers: 1, env });
  const { token, ...credentials } = await fleet.register({ tenant: BYSTANDER });
  const { baseAddress } = fleet.api;
  const imported = await fetch(`${baseAddress}/access-model/v1/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: enlargedSample(isShort(run) ? TIMES.short : TIMES.long),
  });
  if (!imported.ok) throw new Error(`the sample was not imported: ${await imported.text()}`);
  const data: BystanderData = { baseAddress, token, credentials, from: BYSTANDER_FROM };
  await using bystander = startThread<BystanderFigures>(new URL('../bystander/thread.ts', import.meta.url), data);
  const scene: Scene = { run, fleet, bystander, isShort: isShort(run) };
  const prepared: PreparedRow[] = [];
  for (const row of rows) prepared.push(await prepareRow(scene, row));
  let calm = await measureCalm(scene);
  const counts: Record<string, string> = {};
  const broken: string[] = [];
  for (const each of prepared) {
    const played = await playRow(scene, each, calm);
    calm = { ...calm, held: played.held };
    counts[`(${each.row.id}. ${each.row.title})`] = played.summary;
    broken.push(...played.broken);
    for (const text of [`row ${each.row.id}: ${played.details}`, ...played.broken]) run.log(text);
  }
  return { counts, broken: [...broken, ...fleet.crashes()] };
}
