import { predictAll } from '../http/predict-all.ts';
import { plainRequest, predictRequest } from '../load/predict-request.ts';
import { spreadOf } from '../measure/rounds.ts';
import { importOneIdentity, waitForChecks } from '../queues/accepted-to-result.ts';
import { makeDryRun, makeScan } from '../reports/make-reports.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { requestToken } from '../servers/request-token.ts';
import { serveWorld } from '../servers/served-world.ts';
import { prepare, startApi } from '../suites/start.ts';
import { createWorld, identityId } from '../world/create-world.ts';
import type * as Population from '../world/seed-population.ts';
import { type Checkout, loadModule } from './checkout.ts';
import { type Compared, collectRounds } from './ratios.ts';
import type { Values } from './subjects.ts';

type Checkouts = readonly Checkout[];
type Compare = (checkouts: Checkouts, rounds: number) => Promise<readonly Compared[]>;
type PlayRound = () => Promise<Values>;

const SEED = 20_261_121;
const REPORT_IDENTITIES = 100_000;
const MEMORY_IDENTITIES = 20_000;
const IMPORTS = 11;

/** Opens one service for each checkout, then measures rounds on them alternately. */
const compareServices =
  (open: (checkout: Checkout, started: AsyncDisposableStack) => Promise<PlayRound>): Compare =>
  async (checkouts, rounds) => {
    await using started = new AsyncDisposableStack();
    const opened: PlayRound[] = [];
    for (const checkout of checkouts) opened.push(await open(checkout, started));
    return await collectRounds(opened, (play) => play(), rounds);
  };

/** From the start of an API process to its readiness and to its first predict, with 100,000 policies. */
export const compareStart: Compare = compareServices(async ({ folder }, started) => {
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies: 100_000, identities: 100, questions: 1 });
  const served = started.use(await serveWorld(world, { checkout: folder }));
  const token = await requestToken(served);
  const [question = { identity: 0, accessRefs: [] }] = world.questions;
  const request = predictRequest({ port: served.port, token }, plainRequest(question));
  await prepare(served, request);
  return async () => {
    const { readyMs, answeredMs } = await startApi(served, request, folder);
    return { 'start to ready, ms': readyMs, 'start to the first predict, ms': answeredMs };
  };
});

/** From the acceptance of a check to its result, on an idle service. */
export const compareWaits: Compare = compareServices(async ({ folder }, started) => {
  const service = started.use(openMeasuredService({ checkout: folder }));
  const { client } = await service.startApi();
  service.startWorker();
  await importOneIdentity(client);
  return async () => {
    const { medianMs, p95Ms } = await waitForChecks(client);
    return { 'check, accepted to result, median ms': medianMs, 'check, accepted to result, p95 ms': p95Ms };
  };
});

/** Reports over 100,000 identities. The round that warms up includes the first scan of a worker. */
export const compareReports: Compare = compareServices(async ({ folder }, started) => {
  const { createPopulation, seedStore } = await loadModule<typeof Population>(folder, 'population');
  const service = started.use(openMeasuredService({ checkout: folder }));
  const size = { seed: SEED, identities: REPORT_IDENTITIES, assignments: 50, policies: 10_000 };
  await seedStore(service.databaseUrl, createPopulation(size).records);
  const { client } = await service.startApi();
  let round = 0;
  service.startWorker();
  return async () => ({
    'scan report, 100,000 identities, s': (await makeScan(client)).seconds,
    'dry-run report of one policy, s': (await makeDryRun(client, round++)).seconds,
  });
});

/** Memory of an API process after a predict for each of 20,000 identities, and the rate of these predicts. */
export const compareMemory: Compare = compareServices(async ({ folder }, started) => {
  const size = { seed: SEED, entitlements: 50_000, policies: 1_000, identities: MEMORY_IDENTITIES, questions: 1 };
  const { questions, ...world } = createWorld({ ...size, assignments: 50 });
  const { service } = started.use(await serveWorld(world, { checkout: folder }));
  const accessRefs = questions[0]?.accessRefs ?? [];
  const bodyOf = (identity: number) => plainRequest({ identity, accessRefs }).body;
  return async () => {
    await using api = await service.startApi();
    const port = Number(new URL(api.baseAddress).port);
    const { residentAfter, seconds, cpuSeconds } = await predictAll(
      { service, api, port },
      { identities: MEMORY_IDENTITIES, bodyOf },
    );
    return {
      'memory of the API, MB': residentAfter / 1e6,
      'first predict of each identity, CPU µs': (cpuSeconds * 1e6) / MEMORY_IDENTITIES,
      'first predict of each identity, /s': MEMORY_IDENTITIES / seconds,
    };
  };
});

/** Imports of one record into 10,000 policies over HTTP; the answer names the lint findings about the record. */
export const compareImportWarnings: Compare = compareServices(async ({ folder }, started) => {
  const size = { seed: SEED, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 1 };
  const { questions: _, ...world } = createWorld(size);
  const { api } = started.use(await serveWorld(world, { checkout: folder }));
  const { policies } = world;
  const entitlements = world.catalogue.entitlements.map(({ id }) => id);
  let change = 0;
  const millisecondsOf = async (recordOf: (number: number) => object) => {
    const times: number[] = [];
    for (let time = 0; time < IMPORTS; time++) {
      const line = JSON.stringify(recordOf(change++));
      const start = performance.now();
      await api.client.accessModel.import(line);
      times.push(performance.now() - start);
    }
    return spreadOf(times).median;
  };
  return async () => ({
    'import of one identity, ms': await millisecondsOf((number) => ({
      ...{ kind: 'identity', id: identityId(0), uid: identityId(0), identityProfile: 'employees' },
      access: [{ type: 'ENTITLEMENT', id: entitlements[number] }],
    })),
    'import of one policy, ms': await millisecondsOf((number) => ({
      ...{ kind: 'sodPolicy', ...policies[number % policies.length] },
      ...{ name: `Changed ${number}`, created: undefined, modified: undefined },
    })),
    'import of one role, ms': await millisecondsOf((number) => ({
      ...{ kind: 'role', id: 'role', name: `Role ${number}`, accessProfiles: [] },
      entitlements: entitlements.slice(number, number + 20),
    })),
  });
});
