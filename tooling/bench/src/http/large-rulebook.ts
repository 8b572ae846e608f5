import { compileSodIndex, expandAssignments, type SodIndex } from '@access-admin/domain';
import { plainRequest, predictRequest } from '../load/predict-request.ts';
import { figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf } from '../measure/rounds.ts';
import { predictionText } from '../predict-engines/prediction-text.ts';
import { requestToken } from '../servers/request-token.ts';
import { type ServedWorld, serveWorld } from '../servers/served-world.ts';
import { createWorld, type Question, type World } from '../world/create-world.ts';
import { type Costs, measureCosts, withOwnGenerator } from './server-costs.ts';
import { countPoliciesNaming, measureWorstRequests, withWorstIdentity } from './worst-requests.ts';

const SEED = 20_261_121;
const POLICIES = 100_000;
const FEW_POLICIES = 100;
/** Number of questions; only those with equal answers under few policies and under all are sent. */
const CANDIDATES = 10_000;

/** Measures the effect of 100,000 policies on the cost of a request, and of the heaviest requests on the latency of others. */
export async function measureLargeRulebook(): Promise<Omit<SuiteResult, 'name'>> {
  const world = createWorld({
    seed: SEED,
    entitlements: 50_000,
    policies: POLICIES,
    identities: 2_000,
    questions: CANDIDATES,
  });
  const index = compileSodIndex(world.policies, world.catalogue);
  const { world: served, worst } = withWorstIdentity(world);
  await using large = await serveWorld(served);
  const count = await measurePolicyCount(large, world, index);
  const heavy = await measureWorstRequests(large, { world: served, index, worst });
  return {
    tables: [...count.tables, ...heavy.tables],
    figures: [...count.figures, ...heavy.figures],
    raw: { ...count.raw, ...heavy.raw },
  };
}

/** Compares with a service that has the first 100 of the policies and the same identities. */
async function measurePolicyCount(
  large: ServedWorld,
  world: World,
  index: SodIndex,
): Promise<Omit<SuiteResult, 'name'>> {
  const fewPolicies = world.policies.slice(0, FEW_POLICIES);
  const smallIndex = compileSodIndex(fewPolicies, world.catalogue);
  const questions = world.questions.filter(
    (question) => answerOf(smallIndex, world, question) === answerOf(index, world, question),
  );
  const policiesById = countPoliciesNaming(world);
  const named = spreadOf(
    questions.map(({ accessRefs }) => accessRefs.reduce((sum, { id }) => sum + (policiesById.get(id) ?? 0), 0)),
  );
  await using small = await serveWorld({ ...world, policies: fewPolicies });
  const load = async (name: string, served: ServedWorld) => {
    const target = { port: served.port, token: await requestToken(served) };
    const requests = questions.map((question) => predictRequest(target, plainRequest(question)));
    return withOwnGenerator({ name, pid: served.api.pid, port: served.port, requests });
  };
  const contestants = [await load(`${FEW_POLICIES} policies`, small), await load('100,000 policies', large)];
  const costs = await measureCosts(contestants);
  const [smallCpu = [], largeCpu = []] = costs.map(({ cpuMicros }) => cpuMicros);
  const rowOf = ({ cpuMicros, perSecond }: Costs, at: number) => [
    contestants[at]?.server.name ?? '',
    spreadText(spreadOf(cpuMicros)),
    spreadText(spreadOf(perSecond)),
    figure(ratioOf(smallCpu, cpuMicros).median),
  ];
  return {
    tables: [
      {
        header: [
          `equal answers; a median of ${named.median} of the 100,000 policies name what is requested`,
          'CPU µs per request, median (range)',
          'requests/s',
          'share of 100',
        ],
        rows: costs.map(rowOf),
      },
    ],
    figures: [
      {
        name: 'requests per CPU second with 100,000 policies, share of 100',
        spread: ratioOf(smallCpu, largeCpu),
        goal: 0.85,
      },
    ],
    raw: { policyCount: { seed: SEED, candidates: CANDIDATES, questions: questions.length, named, costs } },
  };
}

function answerOf(index: SodIndex, { held }: World, { identity, accessRefs }: Question): string {
  return predictionText(index, expandAssignments(index, held[identity] ?? []), accessRefs);
}
