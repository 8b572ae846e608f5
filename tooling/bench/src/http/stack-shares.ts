import type { RunningProcess } from '@access-admin/harness';
import { bodyOf } from '../load/predict-request.ts';
import type { SuiteResult } from '../measure/report.ts';
import { ratioOf } from '../measure/rounds.ts';
import { startApiFromSources } from '../servers/api-from-sources.ts';
import { startNaturalStack } from '../servers/natural-stack.ts';
import { requestToken } from '../servers/request-token.ts';
import { type ServedWorld, serveWorld } from '../servers/served-world.ts';
import { startBareServer } from '../servers/start-bare-server.ts';
import { createWorld, identityId, type Question } from '../world/create-world.ts';
import { loadServer, measureCosts, rowsOfCosts } from './server-costs.ts';

const SEED = 20_261_121;
const POLICIES = 10_000;
const SAMPLED_ANSWERS = 64;

/** CPU per request of a whole predict (token, rights, validation, held set, 10,000 policies, log line) beside other servers. */
export async function measureStackShares(): Promise<Omit<SuiteResult, 'name'>> {
  const world = createWorld({
    seed: SEED,
    entitlements: 50_000,
    policies: POLICIES,
    identities: 2_000,
    questions: 4096,
  });
  await using served = await serveWorld(world);
  const token = await requestToken(served);
  const bodies = world.questions.map(bodyOf);
  const answer = await medianAnswer(served, world.questions);
  const bare = await startBareServer(answer);
  await using _bare = bare.running;
  const natural = await startNaturalStack(served, world, answer);
  await using _natural = natural.running;
  const guarded = await startApiFromSources(served, { guards: true });
  await using _guarded = guarded.running;
  const unguarded = await startApiFromSources(served, { guards: false });
  await using _unguarded = unguarded.running;
  const load = (name: string, port: number, { pid }: RunningProcess) =>
    loadServer({ name, pid, port }, { token, bodies });
  const costs = await measureCosts([
    load('bare node:http', bare.port, bare.running),
    load('access-admin', served.port, served.api),
    load('natural stack', natural.port, natural.running),
    load('access-admin from sources', guarded.port, guarded.running),
    load('the same without token check, log and metrics', unguarded.port, unguarded.running),
  ]);
  return {
    tables: [
      {
        header: ['10,000 policies', 'CPU µs per request, median (range)', 'requests/s', 'share of bare'],
        rows: rowsOfCosts(costs),
      },
    ],
    figures: figuresOf(costs.map(({ cpuMicros }) => cpuMicros)),
    raw: { stackShares: { seed: SEED, policies: POLICIES, answerBytes: answer.length, costs } },
  };
}

const figuresOf = ([
  bare = [],
  own = [],
  natural = [],
  guarded = [],
  unguarded = [],
]: readonly (readonly number[])[]): SuiteResult['figures'] => [
  { name: 'share of bare node:http, CPU per request', spread: ratioOf(bare, own), goal: 0.6, atLeast: 0.5 },
  { name: 'CPU per request of the natural stack, times ours', spread: ratioOf(natural, own), goal: 8, atLeast: 6 },
  { name: 'share of what it is without token check, log and metrics', spread: ratioOf(unguarded, guarded), goal: 0.9 },
];

async function medianAnswer({ api }: ServedWorld, questions: readonly Question[]): Promise<string> {
  const predictions = await Promise.all(
    questions
      .slice(0, SAMPLED_ANSWERS)
      .map(({ identity, accessRefs }) =>
        api.client.sodViolations.predict({ identityId: identityId(identity), accessRefs }),
      ),
  );
  const answers = predictions.map((prediction) => JSON.stringify(prediction));
  return answers.toSorted((a, b) => a.length - b.length)[answers.length >> 1] ?? '';
}
