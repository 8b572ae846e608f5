import { strictEqual } from 'node:assert/strict';
import type { Service } from '@access-admin/harness';
import { type PredictedAll, predictAll } from '../http/predict-all.ts';
import { plainRequest } from '../load/predict-request.ts';
import { figure, type SuiteResult } from '../measure/report.ts';
import { spreadOf } from '../measure/rounds.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { serveWorld } from '../servers/served-world.ts';
import { createWorld } from '../world/create-world.ts';
import { createPopulation, seedStore } from '../world/seed-population.ts';

const SEED = 20_261_121;
const ASSIGNMENTS = 50;
const POLICIES = 10_000;
const SMALL_CACHE_BYTES = 64 * 2 ** 20;
const COMPANY = { identities: 100_000, policies: 1_000 };
/** Size of the population; the environment variable makes it smaller. */
const identities = Number(process.env['BENCH_IDENTITIES'] ?? 1_000_000);

/** Memory of an API process after one predict for each identity of a population. */
export async function run(): Promise<SuiteResult> {
  const company = await measureCompany();
  const { seedSeconds, all, small } = await measurePopulation();
  const assignments = identities * ASSIGNMENTS;
  const bytesPerAssignment = (all.residentAfter - all.residentBefore) / assignments;
  const megabytes = (bytes: number) => figure(bytes / 1e6);
  const rowOf = (name: string, { residentBefore, residentAfter, seconds }: PredictedAll, count: number) => [
    name,
    megabytes(residentBefore),
    megabytes(residentAfter),
    figure(count / seconds),
  ];
  const many = `${identities.toLocaleString('en-US')} identities × ${ASSIGNMENTS}, 10,000 policies`;
  return {
    name: 'population',
    tables: [
      {
        header: ['RSS of the API, MB', 'before', 'after a predict for each identity', 'first predicts/s'],
        rows: [
          rowOf('100,000 identities × 50, 1,000 policies, imported over HTTP', company, COMPANY.identities),
          rowOf(many, all, identities),
          rowOf(`the same, CACHE_BYTES ${SMALL_CACHE_BYTES / 2 ** 20} MiB`, small, identities),
        ],
      },
    ],
    figures: [
      { name: 'RSS in MB, 100,000 × 50', spread: spreadOf([company.residentAfter / 1e6]), goal: 600, less: true },
      { name: 'bytes of RSS per assignment', spread: spreadOf([bytesPerAssignment]) },
      {
        name: 'growth of RSS with CACHE_BYTES 64 MiB, in caches of that size',
        spread: spreadOf([(small.residentAfter - small.residentBefore) / SMALL_CACHE_BYTES]),
      },
      { name: 'seconds to import 1,000,000 identities', spread: spreadOf([(seedSeconds * 1_000_000) / identities]) },
    ],
    raw: { seed: SEED, identities, assignments, policies: POLICIES, seedSeconds, company, all, small },
  };
}

async function measureCompany(): Promise<PredictedAll> {
  const size = { seed: SEED, entitlements: 50_000, questions: 1, assignments: ASSIGNMENTS, ...COMPANY };
  const { questions, ...world } = createWorld(size);
  await using served = await serveWorld(world);
  const accessRefs = questions[0]?.accessRefs ?? [];
  return await predictAll(served, { ...COMPANY, bodyOf: (identity) => plainRequest({ identity, accessRefs }).body });
}

async function measurePopulation() {
  const population = createPopulation({ seed: SEED, identities, assignments: ASSIGNMENTS, policies: POLICIES });
  await using service = openMeasuredService();
  const seedSeconds = await seedStore(service.databaseUrl, population.records);
  const predictWith = async (env: Parameters<Service['startApi']>[0]) => {
    await using api = await service.startApi(env);
    const port = Number(new URL(api.baseAddress).port);
    return await predictAll({ service, api, port }, { identities, bodyOf: population.bodyOf });
  };
  // The first start stores the compiled rulebook, so that memory of the second grows by its cache of held access alone.
  const small = await predictWith({ CACHE_BYTES: String(SMALL_CACHE_BYTES) });
  const all = await predictWith({});
  strictEqual(small.answersSha256, all.answersSha256, 'a smaller cache changes answers');
  return { seedSeconds, all, small };
}
