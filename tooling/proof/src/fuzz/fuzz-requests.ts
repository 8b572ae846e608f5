import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { createRandom } from '../campaign/random.ts';
import { type ApiDocument, parseApiDocument } from '../http/api-document.ts';
import { openConnection } from '../http/connection.ts';
import { BROKEN_POLICY, GRANT } from '../load/company.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { type Callers, createCallers } from './callers.ts';
import { bytesOf, drawRequest } from './draw-request.ts';
import { createKnown } from './known-values.ts';
import { plantFault } from './plant-fault.ts';
import { createTally, type Tally } from './tally.ts';
import { createVerifier } from './verify-exchange.ts';

/** Connections that are used at the same time. */
const CONNECTIONS = 12;
/** The service is looked at so often, and in the end. */
const LOOK_EVERY = 5_000;
/** Bodies of 16 MiB on several connections and the caches of the service stay well below. */
const RESIDENT_BYTES_MAX = 1024 ** 3;
const PLANT_EVERY = 40;

/** Z1: whatever is asked, the answer is one that the service has documented, and it shows nothing to anybody else. */
export const fuzzRequests: Campaign = {
  id: 'Z1',
  title: 'requests drawn from the OpenAPI document and spoilt, by callers of all kinds',
  unit: 'requests',
  // On both engines together.
  full: 200_000,
  short: 4_000,
  engines: ['sqlite', 'postgres'],
  run: async (run) => (await fuzz(run, null)).outcome,
  control: async (run) => {
    const { outcome, unseen } = await fuzz(run, plantFault);
    // Each fault that was planted must have been seen, not just one of them.
    return unseen === 0 ? outcome : { ...outcome, broken: [] };
  },
};

type Plant = typeof plantFault;

interface Fuzz {
  readonly fleet: Fleet;
  readonly callers: Callers;
  readonly document: ApiDocument;
  readonly tally: Tally;
}

async function fuzz(run: CampaignRun, plant: Plant | null) {
  const { engine, count, log } = run;
  // At `info`, so that there is a log to be searched.
  await using fleet = await openFleet(engine, { apis: 1, workers: 1, env: () => ({ LOG_LEVEL: 'info' }) });
  const [api] = fleet.apis;
  if (api === undefined) throw new Error('there is no API');
  const callers = await createCallers(fleet);
  const document = parseApiDocument(await (await fetch(`${api.baseAddress}/openapi.json`)).json());
  const tally = createTally();
  const all = { fleet, callers, document, tally };
  let residentMax = 0;
  const look = async () => {
    residentMax = Math.max(residentMax, await residentBytes(api.baseAddress));
    await callers.renew();
    tally.note(await faultOfPredict(api.baseAddress, callers.quiet.token()), 'in a tenant of its own');
    log(`${tally.requests()} requests, ${tally.faults()} not answered as they must be`);
  };
  await look();
  const startMs = performance.now();
  const shares = Array.from({ length: CONNECTIONS }, (_, number) => Math.floor((count + number) / CONNECTIONS));
  const unseen = await Promise.all(shares.map((share, number) => sendShare(run, all, { number, share, plant, look })));
  const seconds = (performance.now() - startMs) / 1000;
  await look();
  if (residentMax > RESIDENT_BYTES_MAX) tally.note('memory without a bound', `${residentMax} bytes`);
  await verifyLogs(all);
  const counts = {
    ...tally.counts(),
    'MiB at most': Math.round(residentMax / 1024 ** 2),
    'a second': Math.round(count / seconds),
  };
  return {
    unseen: unseen.reduce((sum, each) => sum + each, 0),
    outcome: { counts, broken: [...tally.broken(), ...fleet.crashed] } satisfies Outcome,
  };
}

interface SharePlan {
  readonly number: number;
  readonly share: number;
  readonly plant: Plant | null;
  readonly look: () => Promise<void>;
}

/** Sends its share one after the other; resolves with how many planted faults were not seen. */
async function sendShare(
  { seed, signal }: CampaignRun,
  { fleet, callers, document, tally }: Fuzz,
  plan: SharePlan,
): Promise<number> {
  const { number, share, plant, look } = plan;
  const random = createRandom(seed + number * 7919);
  const known = createKnown(callers, random);
  const source = { random, document, callers: callers.members, ...known };
  const verify = createVerifier({ document, callers });
  const port = Number(new URL(fleet.apis[0]?.baseAddress ?? '').port);
  const connection = openConnection(port);
  let unseen = 0;
  try {
    for (let sent = 1; sent <= share; sent++) {
      signal.throwIfAborted();
      const request = drawRequest(source);
      const { answer, lost, surplus } = await connection.exchange(bytesOf(request), request.method === 'HEAD');
      const planted = plant !== null && sent % PLANT_EVERY === 0 ? plant(answer, sent / PLANT_EVERY, callers) : null;
      const faults = [
        ...verify(request, planted ?? answer).map((fault) => (lost === '' ? fault : `${fault}: ${lost}`)),
        ...(surplus === '' ? [] : [`more behind the answer: ${surplus}`]),
      ];
      if (planted !== null && faults.length === 0) unseen++;
      tally.add(request, planted ?? answer, { faults, operation: document.find(request.method, request.target) });
      const location = answer?.headers.get('location') ?? '';
      known.remember(document.find('GET', location)?.path ?? '', location.split('/').at(-1) ?? '');
      if (tally.requests() % LOOK_EVERY === 0) await look();
    }
  } finally {
    connection.close();
  }
  return unseen;
}

async function residentBytes(baseAddress: string): Promise<number> {
  const text = await (await fetch(`${baseAddress}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

/** In a tenant that nobody else calls: its answer is known. */
async function faultOfPredict(baseAddress: string, token: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify(GRANT);
  const answer = await fetch(`${baseAddress}/sod-violations/v1/predict`, { method: 'POST', headers, body });
  const { violationContexts: contexts = [] } = Object(await answer.json());
  return contexts.length === 1 && contexts[0].policy.id === BROKEN_POLICY
    ? null
    : `the predict that is known was answered ${answer.status}, and otherwise`;
}

/** What the processes have written must name requests that were answered, and no secret. */
async function verifyLogs({ fleet, callers, tally }: Fuzz): Promise<void> {
  for (const slot of [...fleet.apis, ...fleet.workers]) {
    const { process } = slot;
    const { code } = await slot.replace('SIGTERM');
    if (code !== 0) tally.note('ended badly', `${slot.name}: ${code}`);
    const log = process.output();
    for (const hidden of [...callers.canaries, ...callers.secrets, callers.own])
      if (log.includes(hidden)) tally.note('a canary in the log', slot.name);
    for (const line of log.split('\n'))
      if (/"level":[56]0/.test(line)) tally.note('an error in the log', line.slice(0, 300));
    if (!fleet.apis.some((api) => api === slot)) continue;
    for (const id of tally.trackingIds()) if (!log.includes(id)) tally.note('an answer without a line in the log', id);
  }
}
