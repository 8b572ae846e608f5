import { createClient } from '@access-admin/client';
import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { drawCases } from '../campaign/draw-cases.ts';
import { createRandom } from '../campaign/random.ts';
import { type ApiDocument, readApiDocument } from '../http/api-document.ts';
import { openConnection } from '../http/connection.ts';
import { readMeasures } from '../http/read-measures.ts';
import { BROKEN_POLICY, GRANT } from '../load/company.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { type Callers, createCallers } from './callers.ts';
import { bytesOf, drawRequest } from './draw-request.ts';
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
  run: (run) => fuzz(run, null),
  control: (run) => fuzz(run, plantFault),
};

interface Fuzz {
  readonly run: CampaignRun;
  /** Null unless faults are planted. */
  readonly plant: typeof plantFault | null;
  readonly fleet: Fleet;
  readonly callers: Callers;
  readonly document: ApiDocument;
  readonly tally: Tally;
  checkState(): Promise<void>;
}

async function fuzz(run: CampaignRun, plant: Fuzz['plant']): Promise<Outcome> {
  // At `info`, so that there is a log to search.
  await using fleet = await openFleet(run.engine, { apis: 1, workers: 1, env: () => ({ LOG_LEVEL: 'info' }) });
  const { baseAddress } = fleet.api;
  const [callers, document, tally] = [await createCallers(fleet), await readApiDocument(baseAddress), createTally()];
  let residentMax = 0;
  const checkState = async () => {
    residentMax = Math.max(residentMax, (await readMeasures(baseAddress)).residentBytes);
    await fleet.renewTokens();
    tally.note(await verifyPredict(baseAddress, callers.quiet), 'in a tenant without other callers');
    run.log(`${tally.requests()} requests, ${tally.faults()} failures`);
  };
  const all = { run, plant, fleet, callers, document, tally, checkState };
  await checkState();
  const startMs = performance.now();
  const shares = Array.from({ length: CONNECTIONS }, (_, number) => Math.floor((run.count + number) / CONNECTIONS));
  const missed = await Promise.all(shares.map((share, number) => sendShare(all, number, share)));
  const seconds = (performance.now() - startMs) / 1000;
  await checkState();
  if (residentMax > RESIDENT_BYTES_MAX) tally.note('memory without a bound', `${residentMax} bytes`);
  await verifyLogs(all);
  const counts = {
    ...tally.counts(),
    'MiB at most': Math.round(residentMax / 1024 ** 2),
    'a second': Math.round(run.count / seconds),
  };
  // The control is blind unless every planted fault is found.
  return { counts, broken: missed.some((each) => each > 0) ? [] : [...tally.broken(), ...fleet.crashes()] };
}

/** Sends its share on one connection; resolves with how many planted faults were not found. */
async function sendShare(all: Fuzz, number: number, share: number): Promise<number> {
  const { run, plant, fleet, callers, document, tally, checkState } = all;
  const { known, remember } = createKnown(callers, createRandom(run.seed + number));
  const connection = openConnection(Number(new URL(fleet.api.baseAddress).port));
  const verify = createVerifier({ document, callers });
  let missed = 0;
  const plan = { seed: run.seed + number * 7919, count: share, signal: run.signal };
  const failures = await drawCases(plan, async (random, place) => {
    const request = drawRequest({ random, document, callers: callers.members, known });
    const { answer, lost, surplus } = await connection.exchange(bytesOf(request), request.method === 'HEAD');
    const planted =
      plant !== null && place !== null && place % PLANT_EVERY === 0
        ? plant(answer, place / PLANT_EVERY, callers)
        : null;
    const shown = planted ?? answer;
    const faults = [
      ...verify(request, shown).map((fault) => (lost === '' ? fault : `${fault}: ${lost}`)),
      ...(surplus === '' ? [] : [`more after the answer: ${surplus}`]),
    ];
    const location = answer?.headers.get('location') ?? '';
    remember(document.find('GET', location)?.path ?? '', location.split('/').at(-1) ?? '');
    if (place !== null) {
      tally.add(request, shown, { faults, operation: document.find(request.method, request.target) });
      if (tally.requests() % STATE_CHECK_EVERY === 0) await checkState();
    }
    if (planted !== null && faults.length === 0) missed++;
    return faults.length === 0 || planted !== null ? null : `${faults[0]}: ${describeExchange(request, shown)}`;
  }).finally(connection.close);
  for (const failure of failures) tally.note(failure, 'the smallest request with this failure');
  return missed;
}

/** Compares a predict in a tenant without other callers with its known answer. */
async function verifyPredict(baseAddress: string, { token }: Callers['quiet']): Promise<string | null> {
  const { violationContexts } = await createClient({ baseAddress, token }).sodViolations.predict(GRANT);
  const policies = violationContexts.map(({ policy }) => policy.id).join();
  return policies === BROKEN_POLICY ? null : `a predict did not return its known answer: ${policies}`;
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
