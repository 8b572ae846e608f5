import { plainRequest, predictRequest } from '../load/predict-request.ts';
import { requestToken } from '../servers/request-token.ts';
import { serveWorld } from '../servers/served-world.ts';
import { loadReplicas, type ReplicaLoad } from '../suites/replicas.ts';
import { createWorld } from '../world/create-world.ts';
import type { Checkout } from './checkout.ts';
import { type Compared, collectRounds } from './ratios.ts';

const SEED = 20_261_121;
const WARM_UP_MS = 5_000;
const ROUND_MS = 3_000;

interface Options {
  readonly rounds: number;
  readonly createDatabase: () => Promise<string>;
}

/** Predict with two API processes on one PostgreSQL database. */
export async function compareReplicas(
  checkouts: readonly Checkout[],
  { rounds, createDatabase }: Options,
): Promise<readonly Compared[]> {
  await using started = new AsyncDisposableStack();
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 4096 });
  const loads: ReplicaLoad[] = [];
  for (const { name, folder } of checkouts) {
    const served = started.use(await serveWorld(world, { checkout: folder, databaseUrl: await createDatabase() }));
    const other = await served.service.startApi();
    const token = await requestToken(served);
    const replicas = [
      { pid: served.api.pid, port: served.port },
      { pid: other.pid, port: Number(new URL(other.baseAddress).port) },
    ];
    const requestsOf = (port: number) =>
      world.questions.map((question) => predictRequest({ port, token }, plainRequest(question)));
    loads.push({ name, replicas, requestsOf });
  }
  for (const load of loads) await loadReplicas(load, WARM_UP_MS);
  return await collectRounds(
    loads,
    async (load) => {
      const { cpuMicros, perSecond } = await loadReplicas(load, ROUND_MS);
      return {
        'predict, two replicas, PostgreSQL, CPU µs': cpuMicros,
        'predict, two replicas, PostgreSQL, requests/s': perSecond,
      };
    },
    rounds,
  );
}
