import { deepStrictEqual } from 'node:assert/strict';
import { expandAssignments, type SodIndex } from '@access-admin/domain';
import type { HttpAnswer } from '../load/answer-reader.ts';
import { runClosedLoop } from '../load/closed-loop.ts';
import { withConnections } from '../load/http-connection.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { cycleThrough, plainRequest, predictRequest } from '../load/predict-request.ts';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import { predictionText } from '../predict-engines/prediction-text.ts';
import { requestToken } from '../servers/request-token.ts';
import type { ServedWorld } from '../servers/served-world.ts';
import type { Question, World } from '../world/create-world.ts';
import { sendWorstLoad } from './worst-load.ts';

const REQUESTED = 100;
const HELD = 300;
/** Number of usual requests per heaviest request. */
const OTHERS_PER_WORST = 100;
/** Share of one core that the load needs, by the cost of single requests. A higher share would measure queueing. */
const BUSY_SHARE = 0.5;
const PER_SECOND_MAX = 1000;
const ROUND_MS = 8000;
const CONNECTIONS = 32;

/** Adds an identity that requests the 100 entitlements named by most policies and holds the next 300. */
export function withWorstIdentity(world: World): { readonly world: World; readonly worst: Question } {
  const policiesById = countPoliciesNaming(world);
  const refs = [...policiesById]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, REQUESTED + HELD)
    .map(([id]) => ({ type: 'ENTITLEMENT' as const, id }));
  return {
    world: { ...world, held: [...world.held, refs.slice(REQUESTED)] },
    worst: { identity: world.held.length, accessRefs: refs.slice(0, REQUESTED) },
  };
}

/** The number of policies that name an entitlement, by entitlement. */
export function countPoliciesNaming({ policies }: World): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { conflictingAccessCriteria: criteria } of policies)
    for (const { criteriaList } of [criteria.leftCriteria, criteria.rightCriteria])
      for (const { id } of criteriaList) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

interface Load {
  readonly pid: number;
  readonly port: number;
  readonly nextRequest: () => Buffer;
  readonly worstRequest: Buffer;
}

/** The latency of usual requests with and without the heaviest legal requests beside them, in an open loop. */
export async function measureWorstRequests(
  served: ServedWorld,
  { world, index, worst }: { readonly world: World; readonly index: SodIndex; readonly worst: Question },
): Promise<Omit<SuiteResult, 'name'>> {
  const load = await createLoad(served, world, worst);
  const holder = expandAssignments(index, world.held[worst.identity] ?? []);
  const { policySetVersion: _, asOf: __, ...expected } = JSON.parse(predictionText(index, holder, worst.accessRefs));
  const answerBytes = await assertAnswer(load, expected);
  const costs = await measureSingleCosts(load);
  const perSecond = Math.min(
    PER_SECOND_MAX,
    (BUSY_SHARE * 1e6) / (costs.otherMicros + costs.worstMicros / OTHERS_PER_WORST),
  );
  const [without = [], beside = []] = await takeTurns([false, true], async (withWorst) => {
    const latencies = await runRound(load, { perSecond, withWorst, answerBytes });
    return percentileOf(latencies, 0.99);
  });
  await assertAnswer(load, expected);
  return {
    tables: [
      {
        header: [
          `p99 of ${figure(perSecond)} usual requests/s in ms, 100,000 policies, server half busy`,
          'median (range)',
        ],
        rows: [
          ['alone', spreadText(spreadOf(without))],
          [
            `beside ${figure(perSecond / OTHERS_PER_WORST)}/s of ${expected.violationContexts.length} violations`,
            spreadText(spreadOf(beside)),
          ],
        ],
      },
    ],
    figures: [
      { name: 'p99 beside 1 % worst requests, times alone', spread: ratioOf(beside, without), goal: 2, less: true },
    ],
    raw: { worstRequests: { requested: REQUESTED, held: HELD, answerBytes, ...costs, perSecond, without, beside } },
  };
}

async function createLoad(served: ServedWorld, world: World, worst: Question): Promise<Load> {
  const { port } = served;
  const token = await requestToken(served);
  const requests = world.questions.map((question) => predictRequest({ port, token }, plainRequest(question)));
  return {
    pid: served.api.pid,
    port,
    nextRequest: cycleThrough(requests),
    worstRequest: predictRequest({ port, token }, plainRequest(worst)),
  };
}

/** Throws unless the answer equals the prediction of the domain; returns its length. */
function assertAnswer({ port, worstRequest }: Load, expected: object): Promise<number> {
  return withConnections(port, 1, async ([connection]) => {
    const { parts = [] } = (await connection?.exchange(worstRequest)) ?? {};
    const { policySetVersion: _, asOf: __, ...prediction } = JSON.parse(Buffer.concat(parts).toString());
    deepStrictEqual(prediction, expected);
    return bytesOf(parts);
  });
}

/** Measures the CPU of one usual and of one heaviest request. */
async function measureSingleCosts({ pid, port, nextRequest, worstRequest }: Load) {
  const cpuMicrosOf = (connections: number, next: () => Buffer) =>
    withConnections(port, connections, async (opened) => {
      await runClosedLoop(opened, next, { milliseconds: 1000 });
      const before = cpuSecondsOf(pid);
      const { answers } = await runClosedLoop(opened, next, { milliseconds: 2000 });
      return ((cpuSecondsOf(pid) - before) * 1e6) / answers;
    });
  return {
    otherMicros: await cpuMicrosOf(CONNECTIONS, nextRequest),
    worstMicros: await cpuMicrosOf(1, () => worstRequest),
  };
}

interface Round {
  readonly perSecond: number;
  readonly withWorst: boolean;
  readonly answerBytes: number;
}

/** Returns the latencies of the usual requests. */
async function runRound(
  { port, nextRequest, worstRequest }: Load,
  { perSecond, withWorst, answerBytes }: Round,
): Promise<readonly number[]> {
  const check = ({ status, parts }: HttpAnswer) => {
    if (status !== 200) throw new Error(`${status}: ${Buffer.concat(parts)}`);
  };
  const request = worstRequest.toString('base64');
  const rate = perSecond / OTHERS_PER_WORST;
  const worst = withWorst
    ? sendWorstLoad({ port, perSecond: rate, milliseconds: ROUND_MS, request, answerBytes })
    : Promise.resolve();
  const usual = withConnections(port, CONNECTIONS, (connections) =>
    runOpenLoop([{ perSecond, connections, nextRequest, check }], ROUND_MS),
  );
  const [[latencies = []]] = await Promise.all([usual, worst]);
  return latencies;
}

const bytesOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

const percentileOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
