import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { drawCases } from '../campaign/draw-cases.ts';
import { createRandom } from '../campaign/random.ts';
import { type ApiDocument, readApiDocument } from '../http/api-document.ts';
import { openConnection } from '../http/connection.ts';
import { BROKEN_POLICY, GRANT } from '../load/company.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { type Callers, createCallers } from './callers.ts';
import { bytesOf, type DrawnRequest, drawRequest } from './draw-request.ts';
import { createKnown } from './known-values.ts';
import { plantFault } from './plant-fault.ts';
import { createTally, describeExchange, type Tally } from './tally.ts';
import { createVerifier } from './verify-exchange.ts';

const CONNECTIONS = 12;
/** Number of requests between two checks of the state of the service; the last check is at the end. */
const STATE_CHECK_EVERY = 5_000;
/** Bodies of 16 MiB on several connections and the caches of the service need much less. */
const RESIDENT_BYTES_MAX = 1024 ** 3;
const PLANT_EVERY = 40;

/** Z1: every answer is documented and shows no data to callers without access to it. */
export const fuzzRequests: Campaign = {
  id: 'Z1',
  title: 'requests drawn from the OpenAPI document and spoiled, by callers of all kinds',
  unit: 'requests',
  full: 200_000,
  short: 4_000,
  engines: ['sqlite', 'postgres'],
  run: async (run) => (await fuzz(run, null)).outcome,
  control: async (run) => {
    const { outcome, unseen } = await fuzz(run, plantFault);
    // Every planted fault must be found.
    return unseen === 0 ? outcome : { ...outcome, broken: [] };
  },
};

type Plant = typeof plantFault;

interface Fuzz {
  readonly run: CampaignRun;
  readonly plant: Plant | null;
  readonly fleet: Fleet;
  readonly callers: Callers;
  readonly document: ApiDocument;
  readonly tally: Tally;
  /** Checks the state of the service. */
  checkState(): Promise<void>;
}

async function fuzz(run: CampaignRun, plant: Plant | null) {
  // At `info`, so that there is a log to search.
  await using fleet = await openFleet(run.engine, { apis: 1, workers: 1, env: () => ({ LOG_LEVEL: 'info' }) });
  const { baseAddress } = fleet.api;
  const [callers, document, tally] = [await createCallers(fleet), await readApiDocument(baseAddress), createTally()];
  let residentMax = 0;
  const checkState = async () => {
    residentMax = Math.max(residentMax, await residentBytes(baseAddress));
    await fleet.renewTokens();
    tally.note(await faultOfPredict(baseAddress, callers.quiet.token), 'in a tenant without other callers');
    run.log(`${tally.requests()} requests, ${tally.faults()} failures`);
  };
  const all = { run, plant, fleet, callers, document, tally, checkState };
  await checkState();
  const startMs = performance.now();
  const shares = Array.from({ length: CONNECTIONS }, (_, number) => Math.floor((run.count + number) / CONNECTIONS));
  const unseen = await Promise.all(shares.map((share, number) => sendShare(all, number, share)));
  const seconds = (performance.now() - startMs) / 1000;
  await checkState();
  if (residentMax > RESIDENT_BYTES_MAX) tally.note('memory without a bound', `${residentMax} bytes`);
  await verifyLogs(all);
  const counts = {
    ...tally.counts(),
    'MiB at most': Math.round(residentMax / 1024 ** 2),
    'a second': Math.round(run.count / seconds),
  };
  const outcome: Outcome = { counts, broken: [...tally.broken(), ...fleet.crashes()] };
  return { unseen: unseen.reduce((sum, each) => sum + each, 0), outcome };
}

/** Sends its share on one connection; resolves with how many planted faults were not found. */
async function sendShare(all: Fuzz, number: number, share: number): Promise<number> {
  const { run, callers, document, tally } = all;
  const known = createKnown(callers, createRandom(run.seed + number));
  const send = createSender(all, known.remember);
  const plan = { seed: run.seed + number * 7919, count: share, signal: run.signal };
  try {
    const failures = await drawCases(plan, (random, place) =>
      send.once(drawRequest({ random, document, callers: callers.members, ...known }), place),
    );
    for (const failure of failures) tally.note(failure, 'the smallest request with this failure');
  } finally {
    send.close();
  }
  return send.unseen();
}

function createSender(
  { plant, fleet, callers, document, tally, checkState }: Fuzz,
  remember: (path: string, id: string) => void,
) {
  const connection = openConnection(Number(new URL(fleet.api.baseAddress).port));
  const verify = createVerifier({ document, callers });
  let unseen = 0;
  /** Sends a request; returns a description of it if its answer fails without a planted fault. A null `number` is not counted. */
  const once = async (request: DrawnRequest, number: number | null): Promise<string | null> => {
    const { answer, lost, surplus } = await connection.exchange(bytesOf(request), request.method === 'HEAD');
    const isPlanting = plant !== null && number !== null && number % PLANT_EVERY === 0;
    const planted = isPlanting ? plant(answer, number / PLANT_EVERY, callers) : null;
    const shown = planted ?? answer;
    const faults = [
      ...verify(request, shown).map((fault) => (lost === '' ? fault : `${fault}: ${lost}`)),
      ...(surplus === '' ? [] : [`more after the answer: ${surplus}`]),
    ];
    const location = answer?.headers.get('location') ?? '';
    remember(document.find('GET', location)?.path ?? '', location.split('/').at(-1) ?? '');
    if (number !== null)
      tally.add(request, shown, { faults, operation: document.find(request.method, request.target) });
    if (number !== null && tally.requests() % STATE_CHECK_EVERY === 0) await checkState();
    if (planted !== null && faults.length === 0) unseen++;
    return faults.length === 0 || planted !== null ? null : `${faults[0]}: ${describeExchange(request, shown)}`;
  };
  return { once, unseen: () => unseen, close: connection.close };
}

async function residentBytes(baseAddress: string): Promise<number> {
  const text = await (await fetch(`${baseAddress}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

/** Compares a predict in a tenant without other callers with its known answer. */
async function faultOfPredict(baseAddress: string, token: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify(GRANT);
  const answer = await fetch(`${baseAddress}/sod-violations/v1/predict`, { method: 'POST', headers, body });
  const { violationContexts: contexts = [] } = Object(await answer.json());
  const isRight = contexts.length === 1 && contexts[0].policy.id === BROKEN_POLICY;
  return isRight ? null : `a predict did not return its known answer: ${answer.status}`;
}

/** The logs must have a line for each answered request and contain no secret. */
async function verifyLogs({ fleet, callers, tally }: Fuzz): Promise<void> {
  for (const slot of [...fleet.apis, ...fleet.workers]) {
    const { process } = slot;
    const { code } = await slot.replace('SIGTERM');
    if (code !== 0) tally.note('a process that ended with an error', `${slot.name}: ${code}`);
    const log = process.output();
    for (const hidden of [...callers.canaries, ...callers.secrets, callers.own])
      if (log.includes(hidden)) tally.note('a canary in the log', slot.name);
    for (const line of log.split('\n'))
      if (/"level":[56]0/.test(line)) tally.note('an error in the log', line.slice(0, 300));
    if (!fleet.apis.some((api) => api === slot)) continue;
    for (const id of tally.trackingIds()) if (!log.includes(id)) tally.note('an answer without a line in the log', id);
  }
}
